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

class StatsBase {}
for (const [method, bits] of FILE_TYPES) StatsBase.prototype[method] = function () { return (Number(this.mode) & S_IFMT) === bits; };

// The fields, and the times, which have a property per unit and one as a Date.
const FIELDS = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'blksize', 'ino', 'size', 'blocks'];
const TIMES = ['atime', 'mtime', 'ctime', 'birthtime'];
const FIELD_COUNT = FIELDS.length;
const TIME_COUNT = TIMES.length;
const setFields = (stats, values) => FIELDS.forEach((name, index) => { stats[name] = values[index]; });
const setTimes = (stats, unit, times) => TIMES.forEach((name, index) => { stats[name + unit] = times[index]; });

// The dates are computed on first access.
function defineDates(Class) {
  for (const name of TIMES) {
    const set = function (value) { Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true }); };
    Object.defineProperty(Class.prototype, name, {
      enumerable: true,
      configurable: true,
      get() { return this[name] = new Date(Math.round(Number(this[`${name}Ms`]))); },
      set,
    });
  }
}

class Stats extends StatsBase {
  // Takes the ten fields and the four times in milliseconds.
  constructor(...values) {
    super();
    setFields(this, values);
    setTimes(this, 'Ms', values.slice(FIELD_COUNT));
  }
}
Object.defineProperty(Stats, 'length', { value: FIELD_COUNT + TIME_COUNT, configurable: true });

class BigIntStats extends StatsBase {
  constructor(values, nanoseconds) {
    super();
    setFields(this, values);
    setTimes(this, 'Ms', nanoseconds.map((time) => time / 1000000n));
    setTimes(this, 'Ns', nanoseconds);
  }
}

for (const Class of [Stats, BigIntStats]) defineDates(Class);

// `numbers` are the ten fields, then seconds and nanoseconds of each time. Large fields are BigInts.
function toStats(numbers, bigint) {
  const times = [];
  if (bigint) {
    for (let i = FIELD_COUNT; times.length < TIME_COUNT; i += 2) times.push(BigInt(numbers[i]) * 1000000000n + BigInt(numbers[i + 1]));
    return new BigIntStats(numbers.slice(0, FIELD_COUNT).map((n) => BigInt(n)), times);
  }
  for (let i = FIELD_COUNT; times.length < TIME_COUNT; i += 2) times.push(numbers[i] * 1000 + numbers[i + 1] / 1e6);
  return new Stats(...numbers.slice(0, FIELD_COUNT).map(Number), ...times);
}

function StatFs(...fields) { [this.type, this.bsize, this.frsize, this.blocks, this.bfree, this.bavail, this.files, this.ffree] = fields; }
const toStatFs = (numbers, bigint) => new StatFs(...(bigint ? numbers.map((n) => BigInt(n)) : numbers));
const kType = Symbol('type');

class Dirent {
  constructor(name, type, path) { Object.assign(this, { name, parentPath: path, [kType]: type }); }
}
for (const [method, , type] of FILE_TYPES) Dirent.prototype[method] = function () { return this[kType] === type; };

// Some file systems do not store the type in the directory entry; lstat reads it then.
function toDirent(name, type, directory, cwd = '') {
  return new Dirent(name, type === UNKNOWN_TYPE ? typeOf(cwd, directory, name) : type, directory);
}

function typeOf(...names) {
  const path = require('path').join(...names.map(String));
  const stats = toStats(binding('fs').lstat(path));
  return FILE_TYPES.find(([method]) => stats[method]())?.[2] ?? UNKNOWN_TYPE;
}

module.exports = { Dirent, Stats, toDirent, toStatFs, toStats };
