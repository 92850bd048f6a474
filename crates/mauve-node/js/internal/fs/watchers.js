// fs.watch (inotify), its promise form, and fs.watchFile (stat polling).
const native = binding('fs');
const EventEmitter = require('events');
const { abortError, onAbort, onAbortUntil, throwIfAborted } = require('internal/abort');
const { codes, uvException } = require('internal/errors');
const { Buffer } = require('buffer');
const validators = require('internal/validators');
const utils = require('internal/fs/utils');
const { PendingCallback } = require('internal/streams/callbacks');
const { toStats } = require('internal/fs/stats');

class FSWatcher extends EventEmitter {
  #key = 0;
  #encoding;

  // Starts watching. Throws if the path does not exist.
  open(path, persistent, recursive, encoding) {
    this.#encoding = encoding;
    try {
      this.#key = native.watch(path, recursive, (errno, renamed, name) => this.#onEvent(errno, renamed, name, path), this);
    } catch (errno) {
      if (typeof errno !== 'number') throw errno;
      const err = uvException({ errno, syscall: 'watch', path: String(path) });
      err.filename = path;
      throw err;
    }
    if (!persistent) native.setWatchRef(this.#key, false);
  }

  #onEvent(errno, renamed, name, path) {
    if (this.#key === 0) return;
    if (errno !== 0) {
      const err = uvException({ errno, syscall: 'watch', path: String(path) });
      err.filename = name;
      this.close();
      this.emit('error', err);
      return;
    }
    this.emit('change', renamed ? 'rename' : 'change', utils.fromName(name, this.#encoding));
  }

  close() {
    if (this.#key === 0) return;
    native.unwatch(this.#key);
    this.#key = 0;
    process.nextTick(() => this.emit('close'));
  }

  ref() {
    if (this.#key) native.setWatchRef(this.#key, true);
    return this;
  }

  unref() {
    if (this.#key) native.setWatchRef(this.#key, false);
    return this;
  }
}

function watch(path, options, listener) {
  if (typeof options === 'function') listener = options;
  options = utils.toOptions(options);
  path = utils.toPath(path, 'filename');
  const { persistent = true, recursive = false, encoding = 'utf8', signal } = options;
  if (recursive) {
    validators.validateBoolean(persistent, 'options.persistent');
    validators.validateBoolean(recursive, 'options.recursive');
  }
  const watcher = new FSWatcher();
  watcher.open(path, persistent, recursive, encoding);
  if (listener) watcher.addListener('change', listener);
  if (signal) onAbortUntil(signal, watcher, 'close', () => watcher.close());
  return watcher;
}

async function* watchPromise(path, options = {}) {
  path = utils.toPath(path);
  validators.validateObject(options, 'options');
  const { persistent = true, recursive = false, encoding = 'utf8', signal } = options;
  validators.validateBoolean(persistent, 'options.persistent');
  validators.validateBoolean(recursive, 'options.recursive');
  validators.validateAbortSignal(signal, 'options.signal');
  if (encoding && !Buffer.isEncoding(encoding)) throw new codes.ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  throwIfAborted(signal);
  const events = [];
  let failed = null;
  const change = new PendingCallback();
  let release;
  const watcher = new FSWatcher();
  watcher.on('change', (eventType, filename) => {
    events.push({ eventType, filename });
    change.fire();
  });
  const fail = (err) => {
    failed = err;
    change.fire();
  };
  watcher.on('error', fail);
  try {
    watcher.open(path, persistent, recursive, encoding);
    release = onAbort(signal, () => fail(abortError(signal)));
    while (true) {
      while (events.length) yield events.shift();
      if (failed) throw failed;
      await new Promise((resolve) => change.set(resolve));
    }
  } finally {
    watcher.close();
    release?.();
  }
}

const MISSING = new Array(18).fill(0);

// Polls a file with stat and emits 'change' when the result differs.
class StatWatcher extends EventEmitter {
  #timer;
  #last = null;
  #closed = false;

  constructor(path, { interval, persistent, bigint }) {
    super();
    this.path = path;
    this.interval = interval;
    this.persistent = persistent;
    this.bigint = bigint;
    const { tracker } = require('internal/async_state');
    if (tracker !== undefined) this.#change = tracker.wrapRepeated(tracker.create('STATWATCHER', this), this.#change);
    this.#poll();
  }

  #poll() {
    native.stat(this.path, (errno, numbers) => {
      if (this.#closed) return;
      const now = errno === 0 ? numbers : MISSING;
      if (this.#last === null) {
        // A file that is missing at the start is reported once.
        if (errno !== 0) this.#change(now, now);
      } else if (differs(now, this.#last)) {
        this.#change(now, this.#last);
      }
      this.#last = now;
      this.#timer = setTimeout(() => this.#poll(), this.interval);
      if (!this.persistent) this.#timer.unref();
    });
  }

  #change = (now, before) => { this.emit('change', toStats(now, this.bigint), toStats(before, this.bigint)); };

  stop() {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    process.nextTick(() => this.emit('stop'));
  }

  ref() {
    this.persistent = true;
    this.#timer?.ref();
    return this;
  }

  unref() {
    this.persistent = false;
    this.#timer?.unref();
    return this;
  }
}

// Compares all fields but the access time.
function differs(now, before) { return now.some((value, i) => i !== 10 && i !== 11 && value !== before[i]); }

const statWatchers = new Map();

function watchFile(path, options, listener) {
  path = require('path').resolve(String(utils.toPath(path, 'filename')));
  if (options === null || typeof options !== 'object') {
    listener = options;
    options = {};
  }
  validators.validateFunction(listener, 'listener');
  const settings = { interval: 5007, persistent: true, bigint: false, ...options };
  let watcher = statWatchers.get(path);
  if (!watcher) {
    watcher = new StatWatcher(path, settings);
    statWatchers.set(path, watcher);
  }
  watcher.addListener('change', listener);
  return watcher;
}

function unwatchFile(path, listener) {
  path = require('path').resolve(String(utils.toPath(path, 'filename')));
  const watcher = statWatchers.get(path);
  if (!watcher) return;
  if (typeof listener === 'function') watcher.removeListener('change', listener);
  else watcher.removeAllListeners('change');
  if (watcher.listenerCount('change') === 0) {
    watcher.stop();
    statWatchers.delete(path);
  }
}

module.exports = { unwatchFile, watch, watchFile, watchPromise };
