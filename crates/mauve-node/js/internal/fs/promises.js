// fs.promises and FileHandle.
const EventEmitter = require('events');
const { throwIfAborted } = require('internal/abort');
const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { constants } = binding('fs');
const utils = require('internal/fs/utils');
const { ops, runPromise, runSteps } = require('internal/fs/operations');
const wholeFile = require('internal/fs/whole_file');
const { readArguments, readvCall, writeArguments, writevCall } = require('internal/fs/read_write');

class FileHandle extends EventEmitter {
  #fd;
  #closing = null;

  constructor(fd) {
    super();
    this.#fd = fd;
  }

  get fd() { return this.#fd; }

  async #run(name, ...args) {
    this.#check(name);
    return runPromise(ops[name](this.#fd, ...args));
  }

  #check(syscall) {
    if (this.#fd !== -1) return;
    const err = new Error('file closed');
    err.code = 'EBADF';
    err.syscall = syscall;
    throw err;
  }

  appendFile(data, options) { return this.writeFile(data, options); }
  chmod(mode) { return this.#run('fchmod', mode); }
  chown(uid, gid) { return this.#run('fchown', uid, gid); }
  datasync() { return this.#run('fdatasync'); }
  sync() { return this.#run('fsync'); }
  stat(options) { return this.#run('fstat', options); }
  truncate(length = 0) { return this.#run('ftruncate', length); }
  utimes(atime, mtime) { return this.#run('futimes', atime, mtime); }

  async read(...args) {
    this.#check('read');
    const { bytes, buffer, offset, length, position } = readArguments(this.#fd, ...args);
    if (length === 0) return { __proto__: null, bytesRead: 0, buffer };
    const bytesRead = (await runPromise(wholeFile.readCall(this.#fd, bytes, offset, length, position))) || 0;
    return { __proto__: null, bytesRead, buffer };
  }

  async readv(buffers, position) {
    this.#check('read');
    const bytesRead = (await runPromise(readvCall(this.#fd, buffers, position))) || 0;
    return { __proto__: null, bytesRead, buffers };
  }

  async write(data, ...args) {
    this.#check('write');
    if (data?.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer: data };
    const { bytes, position } = writeArguments(this.#fd, data, ...args);
    const bytesWritten = (await runPromise(wholeFile.writeCall(this.#fd, bytes, position))) || 0;
    return { __proto__: null, bytesWritten, buffer: data };
  }

  async writev(buffers, position) {
    this.#check('write');
    const bytesWritten = (await runPromise(writevCall(this.#fd, buffers, position))) || 0;
    return { __proto__: null, bytesWritten, buffers };
  }

  async readFile(options) {
    this.#check('read');
    return wholeFile.readAll(this.#fd, wholeFile.readOptions(options));
  }

  async writeFile(data, options) {
    this.#check('write');
    const settings = wholeFile.writeOptions(options, 'w');
    await writeContents(this.#fd, data, settings);
  }

  readLines(options) {
    const { createInterface } = require('readline');
    return createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  createReadStream(options) {
    const { ReadStream } = require('internal/fs/streams');
    return new ReadStream(undefined, { ...options, fd: this });
  }

  createWriteStream(options) {
    const { WriteStream } = require('internal/fs/streams');
    return new WriteStream(undefined, { ...options, fd: this });
  }

  close() {
    if (this.#fd === -1) return this.#closing ?? Promise.resolve();
    const fd = this.#fd;
    this.#fd = -1;
    this.#closing = runPromise(ops.close(fd)).finally(() => { this.#closing = null; });
    this.emit('close');
    return this.#closing;
  }

  async [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')]() { return this.close(); }
}

async function writeContents(fd, data, settings) {
  const { signal } = settings;
  throwIfAborted(signal);
  const iterable = data && typeof data === 'object' && !ArrayBuffer.isView(data) &&
    (typeof data[Symbol.asyncIterator] === 'function' || typeof data[Symbol.iterator] === 'function');
  if (iterable) {
    for await (const chunk of data) {
      await wholeFile.writeAll(fd, ArrayBuffer.isView(chunk) ? utils.toBytes(chunk) : Buffer.from(chunk, settings.encoding), signal);
    }
    return;
  }
  await wholeFile.writeAll(fd, utils.toContents(data, settings.encoding), signal);
}

// Opens a file, runs `use` on its handle, and closes it even if `use` throws.
async function withFile(path, flag, mode, use) {
  const handle = await open(path, flag, mode);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function open(path, flags, mode) { return new FileHandle(await runPromise(ops.open(path, flags, mode))); }

async function readFile(path, options) {
  options = wholeFile.readOptions(options);
  if (path instanceof FileHandle) return path.readFile(options);
  throwIfAborted(options.signal);
  return withFile(path, options.flag, 0o666, (handle) => wholeFile.readAll(handle.fd, options));
}

async function writeFile(path, data, options) { return writeWith(path, data, wholeFile.writeOptions(options, 'w')); }
async function appendFile(path, data, options) { return writeWith(path, data, wholeFile.writeOptions(options, 'a')); }

async function writeWith(path, data, options) {
  const iterable = data && typeof data === 'object' && (data[Symbol.asyncIterator] || data[Symbol.iterator]);
  if (!ArrayBuffer.isView(data) && typeof data !== 'string' && !iterable) utils.toContents(data);
  if (path instanceof FileHandle) return writeContents(path.fd, data, options);
  const { signal } = options;
  throwIfAborted(signal);
  return withFile(path, options.flag, options.mode, async (handle) => {
    await writeContents(handle.fd, data, options);
    if (options.flush) await handle.sync();
  });
}

async function truncate(path, length = 0) { return withFile(path, 'r+', 0o666, (handle) => handle.truncate(length)); }

async function readdir(path, options) {
  if (typeof options === 'object' && options?.recursive) {
    const { readdirRecursive } = require('internal/fs/readdir_recursive');
    return runSteps(readdirRecursive(path, options));
  }
  return runPromise(ops.readdir(path, options));
}

async function rmdir(path, options) {
  if (options?.recursive) {
    const { rmdirRecursive } = require('internal/fs/rm');
    return runSteps(rmdirRecursive(utils.toPath(path)));
  }
  return runPromise(ops.rmdir(path));
}

// In Node's order. Those without a value here are one call of the binding.
const own = {
  cp: async (source, target, options) => require('internal/fs/cp').cp(source, target, options),
  open, truncate,
  rm: async (path, options) => require('internal/fs/rm').rm(path, options),
  rmdir, readdir,
  async lchmod() { throw new codes.ERR_METHOD_NOT_IMPLEMENTED('lchmod()'); },
  writeFile, appendFile, readFile,
  glob: (pattern, options) => require('internal/fs/glob').globIterator(pattern, options),
  async mkdtempDisposable(prefix, options) {
    const path = require('path').resolve(await promises.mkdtemp(prefix, options));
    const remove = async () => promises.rm(path, { recursive: true, force: true });
    return { __proto__: null, path, remove, async [Symbol.asyncDispose]() { await remove(); } };
  },
  watch: (path, options) => require('internal/fs/watchers').watchPromise(path, options),
  constants,
};
const promises = Object.fromEntries([
  'access', 'copyFile', 'cp', 'open', 'opendir', 'rename', 'truncate', 'rm', 'rmdir', 'mkdir', 'readdir', 'readlink',
  'symlink', 'lstat', 'stat', 'statfs', 'link', 'unlink', 'chmod', 'lchmod', 'lchown', 'chown', 'utimes', 'lutimes',
  'realpath', 'mkdtemp', 'mkdtempDisposable', 'writeFile', 'appendFile', 'readFile', 'watch', 'constants', 'glob',
].map((name) => [name, own[name] ?? { async [name](...args) { return runPromise(ops[name](...args)); } }[name]]));

module.exports = { FileHandle, promises };
