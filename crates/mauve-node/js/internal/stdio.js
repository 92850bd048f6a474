// The standard streams, after what is behind them: files and terminals are written at once, and so are
// pipes on Linux; reading is a file's, a pipe's or a terminal's.

const { writeText, writeBytes } = binding('stdio');
const { errnoException } = require('internal/errors');

// Writes everything before it returns, and then calls back.
function writeNow(fd, chunk, encoding, cb) {
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
  const kind = binding('descriptors').kind(fd);
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
  const stream = new Class({
    decodeStrings: false,
    emitClose: isFile,
    write: (chunk, encoding, cb) => writeNow(fd, chunk, encoding, cb),
  });
  stream.fd = fd;
  stream._type = isFile ? 'fs' : 'pipe';
  if (!isFile) quietWhenNobodyReads(stream);
  return stream;
}

// Whoever reads our output may stop early (`| head`). If the script does not care, it ends with the
// exit code of an error that nobody caught, and without telling of it.
function quietWhenNobodyReads(stream) {
  const { emit } = stream;
  stream.emit = function (event, ...args) {
    if (
      event === 'error' && args[0]?.code === 'EPIPE' &&
      stream.listenerCount('error') === 0 && process.listenerCount('uncaughtException') === 0
    ) {
      process.exit(1);
    }
    return Reflect.apply(emit, this, [event, ...args]);
  };
}

function openInput() {
  const native = binding('descriptors');
  const kind = native.kind(0);
  let stream;
  if (kind === 'TTY') {
    const { ReadStream } = require('tty');
    stream = new ReadStream(0);
  } else if (kind === 'PIPE' || kind === 'TCP') {
    const { PipeStream } = require('internal/pipe_stream');
    stream = new PipeStream(native.openPipe(0), { manualStart: true, writable: false, highWaterMark: 65536 });
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
  if (stream.stopReading) {
    // Paused input keeps no script alive; _read starts it again.
    stream.on('pause', () => process.nextTick(() => stream.isPaused() && stream.stopReading()));
  }
  return stream;
}

function open(fd) {
  if (fd === 0) return openInput();
  const stream = openOutput(fd);
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  // Standard output outlives its stream.
  stream._destroy = function (err, cb) {
    cb(err);
    this._undestroy();
    if (!this._writableState.emitClose) process.nextTick(() => this.emit('close'));
  };
  made[fd] = stream;
  return stream;
}

const made = {};

// What the console writes to: the stream if there is one already, and until then the descriptor, which
// spares a script that only prints from loading streams.
const direct = {
  1: { write: (text) => { tryWrite(1, text); return true; }, fd: 1, listenerCount: () => 1 },
  2: { write: (text) => { tryWrite(2, text); return true; }, fd: 2, listenerCount: () => 1 },
};

function tryWrite(fd, text) {
  try {
    writeText(fd, text);
  } catch (errno) {
    if (typeof errno !== 'number') throw errno;
  }
}

function forConsole(fd) {
  if (made[fd] === undefined && binding('descriptors').kind(fd) === 'TTY') return fd === 1 ? process.stdout : process.stderr;
  return made[fd] ?? direct[fd];
}

module.exports = { forConsole, open, writeNow };
