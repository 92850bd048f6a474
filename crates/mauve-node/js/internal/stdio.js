// Creates the standard streams according to the type of their descriptors. Writes to files, terminals and
// pipes are synchronous, as in Node on Linux.
const { writeText, writeBytes } = binding('stdio');
const { errnoException } = require('internal/errors');

// Writes all bytes synchronously, then calls back.
function writeSync(fd, chunk, encoding, cb) {
  try {
    if (typeof chunk !== 'string') writeBytes(fd, chunk);
    else if (encoding === 'utf8' || encoding === 'utf-8' || !encoding) writeText(fd, chunk);
    else writeBytes(fd, require('buffer').Buffer.from(chunk, encoding));
  } catch (errno) {
    if (typeof errno !== 'number') throw errno;
    cb(errnoException(errno, 'write'));
    return;
  }
  cb();
}

function openOutput(fd) {
  const kind = binding('stdio_streams').kind(fd);
  if (kind === 'TTY') {
    const { WriteStream } = require('tty');
    const stream = new WriteStream(fd);
    stream._type = 'tty';
    process.on('SIGWINCH', () => stream._refreshSize());
    return stream;
  }
  const { Writable } = require('stream');
  const isFile = kind === 'FILE';
  const Class = isFile ? class SyncWriteStream extends Writable {} : class Socket extends Writable {};
  const stream = new Class({ decodeStrings: false, emitClose: isFile, write: (chunk, encoding, cb) => writeSync(fd, chunk, encoding, cb) });
  stream.fd = fd;
  stream._type = isFile ? 'fs' : 'pipe';
  if (!isFile) exitOnBrokenPipe(stream);
  return stream;
}

// The reader of a pipe may exit before the end (`| head`). Without a listener for the error, the process exits with
// the code of an uncaught exception, but prints nothing.
function exitOnBrokenPipe(stream) {
  const { emit } = stream;
  stream.emit = function (event, ...args) {
    if (
      event === 'error' && args[0]?.code === 'EPIPE' &&
      stream.listenerCount('error') === 0 && process.listenerCount('uncaughtException') === 0
    ) { process.exit(1); }
    return Reflect.apply(emit, this, [event, ...args]);
  };
}

function openInput() {
  const native = binding('stdio_streams');
  const kind = native.kind(0);
  let stream;
  if (kind === 'TTY') {
    const { ReadStream } = require('tty');
    stream = new ReadStream(0);
  } else if (kind === 'PIPE' || kind === 'TCP') {
    const { Pipe, Socket } = require('internal/net/socket');
    const handle = new Pipe(native.openPipe(0));
    stream = new Socket({ handle, manualStart: true, writable: false });
    stream._type = 'pipe';
  } else if (kind === 'FILE') {
    const { ReadStream } = require('fs');
    stream = new ReadStream(null, { fd: 0, autoClose: false });
  } else {
    const { Readable } = require('stream');
    stream = new Readable({ read() {} });
    stream.push(null);
  }
  stream.fd = 0;
  // Paused input does not keep the process running. _read starts reading again.
  stream.on('pause', () => process.nextTick(() => {
    const handle = stream._handle;
    if (!handle?.reading || !stream.isPaused()) return;
    handle.reading = false;
    handle.readStop();
  }));
  return stream;
}

function open(fd) {
  if (fd === 0) return openInput();
  const stream = openOutput(fd);
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  // Destroying the stream does not close the descriptor, and the stream stays usable.
  stream._destroy = function (err, cb) {
    cb(err);
    this._undestroy();
    if (!this._writableState.emitClose) process.nextTick(() => this.emit('close'));
  };
  streams[fd] = stream;
  return stream;
}

const streams = {};

// The console writes to the stream if it has been created, otherwise directly to the descriptor. A script
// that only prints then need not load the stream modules.
const descriptorWriters = {
  1: { write: (text) => { tryWrite(1, text); return true; }, fd: 1, listenerCount: () => 1 },
  2: { write: (text) => { tryWrite(2, text); return true; }, fd: 2, listenerCount: () => 1 },
};

function tryWrite(fd, text) {
  try {
    writeText(fd, text);
  } catch (errno) {
    if (typeof errno !== 'number') throw errno;
    // Errors are ignored, except that of a pipe without a reader: a program that only prints would not end.
    const error = errnoException(errno, 'write');
    if (error.code === 'EPIPE') process.nextTick(() => (fd === 1 ? process.stdout : process.stderr).destroy(error));
  }
}

function forConsole(fd) {
  const isUnopenedTerminal = streams[fd] === undefined && binding('stdio_streams').kind(fd) === 'TTY';
  if (isUnopenedTerminal) return fd === 1 ? process.stdout : process.stderr;
  return streams[fd] ?? descriptorWriters[fd];
}

module.exports = { forConsole, open, streams, writeSync };
