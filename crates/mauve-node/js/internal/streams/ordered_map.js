// The implementation of map() and filter(): applies an async function to several chunks at a time and
// yields the results in the order of the chunks.
const { throwIfAborted } = require('internal/abort');
const { PendingCallback } = require('internal/streams/callbacks');

// A function returns this to skip its chunk.
const NOTHING = Symbol('nothing');
const END = Symbol('end');

class OrderedMap {
  #source;
  #fn;
  // The second argument of the function.
  #context;
  // How many calls may run at a time, and how many results may be pending or queued.
  #concurrency;
  #limit;
  #results = [];
  #running = 0;
  #stopped = false;
  #moreResults = new PendingCallback();
  #moreRoom = new PendingCallback();

  constructor(source, fn, signal, concurrency, limit) {
    this.#source = source;
    this.#fn = fn;
    this.#context = { signal };
    this.#concurrency = concurrency;
    this.#limit = limit;
  }

  async *run() {
    this.#readSource();
    try {
      for (;;) {
        while (this.#results.length > 0) {
          const value = await this.#results[0];
          if (value === END) return;
          throwIfAborted(this.#context.signal);
          if (value !== NOTHING) yield value;
          this.#results.shift();
          this.#resumeSource();
        }
        await new Promise((resolve) => this.#moreResults.set(resolve));
      }
    } finally {
      this.#stopped = true;
      this.#moreRoom.fire();
    }
  }

  get #hasRoom() { return this.#running < this.#concurrency && this.#results.length < this.#limit; }
  #resumeSource() { if (!this.#stopped && this.#hasRoom) this.#moreRoom.fire(); }

  // Reads the source while there is room.
  async #readSource() {
    try {
      for await (const chunk of this.#source) {
        if (this.#stopped) return;
        throwIfAborted(this.#context.signal);
        const result = this.#apply(chunk);
        if (result === NOTHING) continue;
        this.#running++;
        this.#addResult(result);
        this.#moreResults.fire();
        if (!this.#stopped && !this.#hasRoom) await new Promise((resolve) => this.#moreRoom.set(resolve));
      }
      this.#results.push(END);
    } catch (err) {
      this.#addResult(Promise.reject(err));
    } finally {
      this.#stopped = true;
      this.#moreResults.fire();
    }
  }

  // Returns a promise, or NOTHING. An exception becomes a rejected promise, in the order of the chunks.
  #apply(chunk) {
    try {
      const result = this.#fn(chunk, this.#context);
      return result === NOTHING ? NOTHING : Promise.resolve(result);
    } catch (err) {
      return Promise.reject(err);
    }
  }

  #addResult(result) {
    const settled = () => {
      this.#running--;
      this.#resumeSource();
    };
    result.then(settled, () => {
      this.#stopped = true;
      settled();
    });
    this.#results.push(result);
  }
}

module.exports = { NOTHING, OrderedMap };
