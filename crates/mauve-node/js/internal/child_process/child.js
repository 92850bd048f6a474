// ChildProcess. It emits 'exit' when the process has ended and 'close' when its streams have, too.
const EventEmitter = require('events');
const { abortError, onAbortUntil } = require('internal/abort');
const { errnoException } = require('internal/errors');
const { signalName, toNative, toSignal, toStdio } = require('internal/child_process/options');
const native = binding('spawn');

// Errors that are emitted as 'error'. Others are thrown by spawn.
const EMITTED_ERRORS = new Set(['EACCES', 'EAGAIN', 'EMFILE', 'ENFILE', 'ENOENT']);

class ChildProcess extends EventEmitter {
  // The process in the binding, 0 once it has ended.
  #key = 0;
  // What 'close' waits for: the process, its output streams and its channel.
  #openCount = 1;

  _closesNeeded = 1;
  _closesGot = 0;
  connected = false;
  signalCode = null;
  exitCode = null;
  killed = false;
  spawnfile = null;

  spawn(options) {
    const { validateArray, validateObject, validateString } = require('internal/validators');
    validateObject(options, 'options');
    if (options.envPairs !== undefined) validateArray(options.envPairs, 'options.envPairs');
    validateString(options.file, 'options.file');
    if (options.args !== undefined) validateArray(options.args, 'options.args');
    const { descriptors, channel } = toStdio(options.stdio, false);
    if (channel !== -1) options = { __proto__: null, ...options, env: [...options.env, `NODE_CHANNEL_FD=${channel}`, 'NODE_CHANNEL_SERIALIZATION_MODE=json'] };
    this.spawnfile = options.file;
    this.spawnargs = options.args;
    const [key, pid, ...pipes] = native.spawn(toNative(options, descriptors), (status, signal) => this.#onExit(status, signal), this);
    if (key === 0) {
      this.#onSpawnError(pid, pipes, channel);
      return pid;
    }
    this.#key = key;
    this.pid = pid;
    process.nextTick(() => this.emit('spawn'));
    this.#createStreams(pipes, channel);
    if (Array.isArray(options.stdio)) options.stdio.forEach(stopReading);
    return 0;
  }

  #onSpawnError(errno, pipes, channel) {
    const code = binding('errno').name(errno);
    const isEmitted = EMITTED_ERRORS.has(code);
    if (isEmitted) process.nextTick(() => this.#emitSpawnError(errno));
    // The streams end like pipes without a peer. Without descriptors there are none.
    if (isEmitted && code !== 'EMFILE' && code !== 'ENFILE') return this.#createStreams(pipes, channel);
    const { Pipe } = require('internal/net/socket');
    for (const id of pipes) if (id !== null) new Pipe(id).close();
    if (!isEmitted) throw errnoException(errno, 'spawn');
  }

  #emitSpawnError(errno) {
    const { spawnfile, spawnargs } = this;
    const err = errnoException(errno, `spawn ${spawnfile}`);
    if (spawnfile) err.path = spawnfile;
    err.spawnargs = spawnargs.slice(1);
    this.exitCode = errno;
    this.#onEnd('error', err);
  }

  // 'close' comes after that of the stream.
  #closeAfter(stream) {
    this.#openCount++;
    this._closesNeeded++;
    stream.on('close', () => this.#maybeClose());
  }

  #createStreams(pipes, channel) {
    const { Pipe, Socket } = require('internal/net/socket');
    const streams = pipes.map((id, i) => {
      if (id === null) return null;
      const handle = new Pipe(id);
      if (i === channel) {
        const pipe = new Socket({ handle, manualStart: true, allowHalfOpen: true });
        require('internal/child_process/channel').attach(this, pipe);
        return null;
      }
      // stdin is only written. Streams after stderr are not read before the script reads them.
      const stream = new Socket({ handle, readable: i !== 0, manualStart: i > 2 });
      if (i !== 0) this.#closeAfter(stream);
      return stream;
    });
    this.#setStreams(streams);
  }

  #setStreams(streams) {
    this.stdin = streams[0];
    this.stdout = streams[1];
    this.stderr = streams[2];
    this.stdio = streams;
  }

  // The IPC channel delays 'close' like a stream does.
  _channelOpened() { this.#openCount++; }
  _channelClosed() { this.#maybeClose(); }

  #onExit(status, signal) {
    if (signal) this.signalCode = signalName(signal);
    else this.exitCode = status;
    this.#key = 0;
    this.#onEnd('exit', this.exitCode, this.signalCode);
  }

  #onEnd(...event) {
    this.stdin?.destroy();
    this.emit(...event);
    // Drains the output that the script does not read, so that 'close' can follow.
    process.nextTick(() => {
      for (const stream of this.stdio ?? []) {
        if (stream?.readable && stream.readableFlowing === null && !stream._readableState.readableListening) stream.resume();
      }
    });
    this.#maybeClose();
  }

  #maybeClose() {
    this._closesGot++;
    if (--this.#openCount === 0) this.emit('close', this.exitCode, this.signalCode);
  }

  kill(signal) {
    // Signal 0 only checks whether the process exists.
    const number = signal === 0 ? 0 : toSignal(signal);
    if (this.#key === 0) return false;
    try {
      native.kill(this.#key, number);
    } catch (errno) {
      const code = binding('errno').name(errno);
      if (code === 'ESRCH') return false;
      if (code === 'EINVAL' || code === 'ENOSYS') throw errnoException(errno, 'kill');
      this.emit('error', errnoException(errno, 'kill'));
      return false;
    }
    this.killed = true;
    return true;
  }

  ref() { if (this.#key) native.setRef(this.#key, true); }
  unref() { if (this.#key) native.setRef(this.#key, false); }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')]() { if (!this.killed) this.kill(); }
}

// The child reads from a stream that it was given.
function stopReading(stream) {
  if (typeof stream?._handle?.readStop !== 'function') return;
  stream._handle.reading = false;
  stream._handle.readStop();
  stream.pause();
  stream._readableState.reading = false;
}

// Kills the child and emits an AbortError when `signal` is aborted.
function abortWith(child, signal, killSignal) {
  onAbortUntil(signal, child, 'exit', () => {
    try {
      if (child.kill(killSignal)) child.emit('error', abortError(signal));
    } catch (err) {
      child.emit('error', err);
    }
  });
}

module.exports = { ChildProcess, abortWith };
