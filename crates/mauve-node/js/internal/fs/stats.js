// fs.Stats, BigIntStats, StatFs and Dirent, made from the numbers of the binding.

const { S_IFMT, S_IFREG, S_IFDIR, S_IFCHR, S_IFBLK, S_IFIFO, S_IFLNK, S_IFSOCK } = binding('fs').constants;

// The methods that test for a file type, its bits in st_mode, and its number in a directory entry.
const FILE_TYPES = [
  ['isDirectory', S_IFDIR, 2],
  ['isFile', S_IFREG, 1],
  ['isBlockDevice', S_IFBLK, 7],
  ['isCharacterDevice', S_IFCHR, 6],
  ['isSymbolicLink', S_IFLNK, 3],
  ['isFIFO', S_IFIFO, 4],
  ['isSocket', S_IFSOCK, 5],
];
const UNKNOWN_TYPE = 0;

const FIELD_COUNT = 10;
const TIME_COUNT = 4;

class StatsBase {}
for (const [method, bits] of FILE_TYPES) {
  StatsBase.prototype[method] = function () {
    return (Number(this.mode) & S_IFMT) === bits;
  };
}

function setFields(stats, values) {
  stats.dev = values[0];
  stats.mode = values[1];
  stats.nlink = values[2];
  stats.uid = values[3];
  stats.gid = values[4];
  stats.rdev = values[5];
  stats.blksize = values[6];
  stats.ino = values[7];
  stats.size = values[8];
  stats.blocks = values[9];
}

// `first` is the index of the access time in `values`.
function setMilliseconds(stats, values, first) {
  stats.atimeMs = values[first];
  stats.mtimeMs = values[first + 1];
  stats.ctimeMs = values[first + 2];
  stats.birthtimeMs = values[first + 3];
}

function setNanoseconds(stats, times) {
  [stats.atimeNs, stats.mtimeNs, stats.ctimeNs, stats.birthtimeNs] = times;
}

const toDate = (milliseconds) => new Date(Math.round(Number(milliseconds)));

function setDates(stats) {
  stats.atime = toDate(stats.atimeMs);
  stats.mtime = toDate(stats.mtimeMs);
  stats.ctime = toDate(stats.ctimeMs);
  stats.birthtime = toDate(stats.birthtimeMs);
}

class Stats extends StatsBase {
  // Takes the ten fields and the four times in milliseconds.
  constructor(...values) {
    super();
    setFields(this, values);
    setMilliseconds(this, values, FIELD_COUNT);
    setDates(this);
  }
}
Object.defineProperty(Stats, 'length', { value: FIELD_COUNT + TIME_COUNT, configurable: true });

class BigIntStats extends StatsBase {
  constructor(values, nanoseconds) {
    super();
    setFields(this, values);
    setMilliseconds(this, nanoseconds.map((time) => time / 1000000n), 0);
    setNanoseconds(this, nanoseconds);
    setDates(this);
  }
}

// `numbers` are the ten fields, then seconds and nanoseconds of each time. Large fields are BigInts.
function toStats(numbers, bigint) {
  const times = [];
  if (bigint) {
    for (let i = FIELD_COUNT; times.length < TIME_COUNT; i += 2) {
      times.push(BigInt(numbers[i]) * 1000000000n + BigInt(numbers[i + 1]));
    }
    return new BigIntStats(numbers.slice(0, FIELD_COUNT).map((n) => BigInt(n)), times);
  }
  for (let i = FIELD_COUNT; times.length < TIME_COUNT; i += 2) times.push(numbers[i] * 1000 + numbers[i + 1] / 1e6);
  return new Stats(...numbers.slice(0, FIELD_COUNT).map(Number), ...times);
}

function StatFs(...fields) {
  [this.type, this.bsize, this.blocks, this.bfree, this.bavail, this.files, this.ffree] = fields;
}

const toStatFs = (numbers, bigint) => new StatFs(...(bigint ? numbers.map((n) => BigInt(n)) : numbers));

const kType = Symbol('type');

class Dirent {
  constructor(name, type, path) {
    Object.assign(this, { name, parentPath: path, path, [kType]: type });
  }
}
for (const [method, , type] of FILE_TYPES) {
  Dirent.prototype[method] = function () {
    return this[kType] === type;
  };
}

// Some file systems do not store the type in the directory entry; lstat reads it then.
function toDirent(name, type, directory) {
  return new Dirent(name, type === UNKNOWN_TYPE ? typeOf(directory, name) : type, directory);
}

function typeOf(directory, name) {
  const path = require('path').join(String(directory), String(name));
  const stats = toStats(binding('fs').lstat(path));
  return FILE_TYPES.find(([method]) => stats[method]())?.[2] ?? UNKNOWN_TYPE;
}

module.exports = { Dirent, Stats, toDirent, toStatFs, toStats };
