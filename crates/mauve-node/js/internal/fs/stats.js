// Stats, BigIntStats, Dirent and StatFs: what is known about files.

const { constants } = binding('fs');
const { S_IFMT, S_IFREG, S_IFDIR, S_IFCHR, S_IFBLK, S_IFIFO, S_IFLNK, S_IFSOCK } = constants;

function StatsBase(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks) {
  this.dev = dev;
  this.mode = mode;
  this.nlink = nlink;
  this.uid = uid;
  this.gid = gid;
  this.rdev = rdev;
  this.blksize = blksize;
  this.ino = ino;
  this.size = size;
  this.blocks = blocks;
}
const kinds = {
  isDirectory: S_IFDIR,
  isFile: S_IFREG,
  isBlockDevice: S_IFBLK,
  isCharacterDevice: S_IFCHR,
  isSymbolicLink: S_IFLNK,
  isFIFO: S_IFIFO,
  isSocket: S_IFSOCK,
};
for (const [name, kind] of Object.entries(kinds)) {
  StatsBase.prototype[name] = function () {
    return (Number(this.mode) & S_IFMT) === kind;
  };
}

const times = ['atime', 'mtime', 'ctime', 'birthtime'];

function setDates(stats) {
  for (const name of times) stats[name] = new Date(Math.round(Number(stats[`${name}Ms`])));
}

class Stats {
  constructor(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeMs, mtimeMs, ctimeMs, birthtimeMs) {
    StatsBase.call(this, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks);
    this.atimeMs = atimeMs;
    this.mtimeMs = mtimeMs;
    this.ctimeMs = ctimeMs;
    this.birthtimeMs = birthtimeMs;
    setDates(this);
  }
}
Object.setPrototypeOf(Stats.prototype, StatsBase.prototype);

class BigIntStats {
  constructor(fields, nanoseconds) {
    StatsBase.apply(this, fields);
    times.forEach((name, i) => (this[`${name}Ms`] = nanoseconds[i] / 1000000n));
    times.forEach((name, i) => (this[`${name}Ns`] = nanoseconds[i]));
    setDates(this);
  }
}
Object.setPrototypeOf(BigIntStats.prototype, StatsBase.prototype);

// numbers: ten fields, then four times of seconds and nanoseconds.
function toStats(numbers, bigint) {
  if (bigint) {
    const fields = numbers.slice(0, 10).map((n) => BigInt(n));
    const time = (i) => BigInt(numbers[10 + 2 * i]) * 1000000000n + BigInt(numbers[11 + 2 * i]);
    return new BigIntStats(fields, [0, 1, 2, 3].map(time));
  }
  const time = (i) => numbers[10 + 2 * i] * 1000 + numbers[11 + 2 * i] / 1e6;
  return new Stats(...numbers.slice(0, 10), time(0), time(1), time(2), time(3));
}

function StatFs(...fields) {
  [this.type, this.bsize, this.blocks, this.bfree, this.bavail, this.files, this.ffree] = fields;
}

const toStatFs = (numbers, bigint) => new StatFs(...(bigint ? numbers.map((n) => BigInt(n)) : numbers));

const kType = Symbol('type');
const [UNKNOWN, FILE, DIR, LINK, FIFO, SOCKET, CHAR, BLOCK] = [0, 1, 2, 3, 4, 5, 6, 7];

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this.path = path;
    this[kType] = type;
  }
}
const direntKinds = {
  isDirectory: DIR,
  isFile: FILE,
  isBlockDevice: BLOCK,
  isCharacterDevice: CHAR,
  isSymbolicLink: LINK,
  isFIFO: FIFO,
  isSocket: SOCKET,
};
for (const [name, kind] of Object.entries(direntKinds)) {
  Dirent.prototype[name] = function () {
    return this[kType] === kind;
  };
}

// Some file systems do not tell the kind with the name; then the file itself is asked.
function toDirent(name, type, directory) {
  if (type === UNKNOWN) {
    const stats = toStats(binding('fs').lstat(require('path').join(String(directory), String(name))));
    for (const [method, kind] of Object.entries(direntKinds)) if (stats[method]()) type = kind;
  }
  return new Dirent(name, type, directory);
}

module.exports = { BigIntStats, Dirent, StatFs, Stats, kType, toDirent, toStatFs, toStats };
