// ChildProcess: a process beside ours. 'exit' says that it has ended, 'close' that its streams have, too.

const EventEmitter = require('events');
const { AbortError, errnoException } = require('internal/errors');
const { signalName, toSignal, toStdio } = require('internal/child_process/options');
const native = binding('spawn');

// What is not a mistake of the caller but of the program that cannot be started is told as an event.
const TOLD_LATER = new Set(['EACCES', 'EAGAIN', 'EMFILE', 'ENFILE', 'ENOENT']);

class ChildProcess extends EventEmitter {
  #key = 0;
  #open = 1;

  constructor() {
    super();
    this._closesNeeded = 1;
    this._closesGot = 0;
    this.connected = false;
    this.signalCode = null;
    this.exitCode = null;
    this.killed = false;
    this.spawnfile = null;
  }

  spawn(options) {
    const { places, channel } = toStdio(options.stdio, false);
    if (channel !== -1) options = { ...options, env: [...options.env, `NODE_CHANNEL_FD=${channel}`, 'NODE_CHANNEL_SERIALIZATION_MODE=json'] };
    this.spawnfile = options.file;
    this.spawnargs = options.args;
    const wish = { file: options.file, args: options.args, env: options.env, cwd: options.cwd ?? undefined, detached: options.detached, uid: options.uid, gid: options.gid, stdio: places };
    let reply;
    try {
      reply = native.spawn(wish, (status, signal) => this.#exited(status, signal));
    } catch (errno) {
      if (typeof errno !== 'number') throw errno;
      this.#failed(errno, places);
      return errno;
    }
    const [key, pid, ...pipes] = reply;
    this.#key = key;
    this.pid = pid;
    process.nextTick(() => this.emit('spawn'));
    this.#streams(pipes, channel);
    return 0;
  }

  #failed(errno, places) {
    const code = binding('errno').name(errno);
    if (!TOLD_LATER.has(code)) {
      throw errnoException(errno, 'spawn');
    }
    process.nextTick(() => this.#tellFailure(errno));
    // The streams are there, and at their end.
    const { Duplex } = require('stream');
    const dead = places.map((place) => {
      if (place !== -2) return null;
      const stream = new Duplex({ read() {}, write: (chunk, encoding, cb) => cb() });
      stream.destroy();
      return stream;
    });
    this.#name(dead);
  }

  #tellFailure(errno) {
    const err = errnoException(errno, `spawn ${this.spawnfile}`);
    if (this.spawnfile) err.path = this.spawnfile;
    err.spawnargs = this.spawnargs.slice(1);
    this.exitCode = errno;
    this.emit('error', err);
    this.#maybeClose();
  }

  #streams(pipes, channel) {
    const { Pipe, Socket } = require('internal/net/socket');
    const streams = pipes.map((id, i) => {
      if (id === null) return null;
      const handle = new Pipe(id);
      if (i === channel) {
        const pipe = new Socket({ handle, manualStart: true, allowHalfOpen: true });
        require('internal/child_process/channel').attach(this, pipe);
        return null;
      }
      // Standard input is only written; what comes after standard error is not read unasked.
      const stream = new Socket({ handle, readable: i !== 0, manualStart: i > 2 });
      if (i !== 0) {
        this.#open++;
        this._closesNeeded++;
        stream.on('close', () => this.#maybeClose());
      }
      return stream;
    });
    this.#name(streams);
  }

  #name(streams) {
    this.stdin = streams[0];
    this.stdout = streams[1];
    this.stderr = streams[2];
    this.stdio = streams;
  }

  // One more than the streams: the process itself.
  _alsoWaitFor() {
    this.#open++;
  }

  _oneClosed() {
    this.#maybeClose();
  }

  #exited(status, signal) {
    if (signal) this.signalCode = signalName(signal);
    else this.exitCode = status;
    if (this.stdin) this.stdin.destroy();
    this.#key = 0;
    this.emit('exit', this.exitCode, this.signalCode);
    // Output that nobody reads would keep 'close' from coming.
    process.nextTick(() => {
      for (const stream of this.stdio) {
        if (stream?.readable && stream.readableFlowing === null && !stream._readableState.readableListening) stream.resume();
      }
    });
    this.#maybeClose();
  }

  #maybeClose() {
    this._closesGot++;
    if (--this.#open === 0) this.emit('close', this.exitCode, this.signalCode);
  }

  kill(signal) {
    const number = toSignal(signal);
    if (this.#key === 0) return false;
    try {
      native.kill(this.#key, number);
    } catch (errno) {
      if (errno === -3) return false;
      if (errno === -22 || errno === -38) throw errnoException(errno, 'kill');
      this.emit('error', errnoException(errno, 'kill'));
      return false;
    }
    this.killed = true;
    return true;
  }

  ref() {
    if (this.#key) native.refer(this.#key, true);
  }

  unref() {
    if (this.#key) native.refer(this.#key, false);
  }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')]() {
    if (!this.killed) this.kill();
  }
}

// Kills the child when a signal fires, and tells of it.
function abortWith(child, signal, killSignal) {
  const abort = () => {
    try {
      if (child.kill(killSignal)) child.emit('error', new AbortError(undefined, { cause: signal.reason }));
    } catch (err) {
      child.emit('error', err);
    }
  };
  if (signal.aborted) {
    process.nextTick(abort);
  } else {
    signal.addEventListener('abort', abort, { once: true });
    child.once('exit', () => signal.removeEventListener('abort', abort));
  }
}

module.exports = { ChildProcess, abortWith };
