// fs.Dir: an open directory, read entry by entry.
const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');

class Dir {
  #path;
  #entries;
  #next = 0;
  #closed = false;
  #pendingReads = 0;
  #options;

  constructor(path, entries, options) {
    if (path === undefined) throw new codes.ERR_MISSING_ARGS('handle');
    this.#path = path;
    this.#entries = entries;
    this.#options = options;
  }

  get path() { return this.#path; }

  #take() {
    while (this.#next < this.#entries.length) {
      const entry = this.#entries[this.#next++];
      if (this.#options?.recursive && entry.isDirectory()) {
        const { ops, runSync } = require('internal/fs/operations');
        const path = require('path').join(String(entry.parentPath), String(entry.name));
        this.#entries.push(...runSync(ops.readdir(path, { withFileTypes: true })));
      }
      return entry;
    }
    return null;
  }

  #check(isSync = false) {
    if (this.#closed) throw new codes.ERR_DIR_CLOSED();
    if (isSync && this.#pendingReads > 0) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
  }

  readSync() {
    this.#check(true);
    return this.#take();
  }

  read(callback) {
    if (callback === undefined) {
      if (this.#closed) return Promise.reject(new codes.ERR_DIR_CLOSED());
      return new Promise((resolve) => this.read((err, found) => resolve(found)));
    }
    validateFunction(callback, 'callback');
    this.#check();
    this.#pendingReads++;
    const entry = this.#take();
    process.nextTick(() => {
      this.#pendingReads--;
      callback(null, entry);
    });
    return undefined;
  }

  closeSync() {
    this.#check(true);
    this.#closed = true;
  }

  close(callback) {
    if (callback !== undefined) validateFunction(callback, 'callback');
    const err = this.#closed ? new codes.ERR_DIR_CLOSED() : null;
    this.#closed = true;
    if (callback === undefined) return err === null ? Promise.resolve() : Promise.reject(err);
    process.nextTick(callback, err);
    return undefined;
  }

  async *entries() {
    try {
      let entry;
      while ((entry = await this.read()) !== null) yield entry;
    } finally {
      await this.close();
    }
  }

  [Symbol.asyncIterator]() { return this.entries(); }
}

module.exports = { Dir };
