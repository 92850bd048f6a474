// What is behind map() and its relatives: a function applied to several chunks at a time, its results
// given out in the order of the chunks.

const { abortErrorOf } = require('internal/streams/add_abort_signal');
const { NextTime } = require('internal/streams/once');

// A function gives this to leave its chunk out.
const NOTHING = Symbol('nothing');
const END = Symbol('end');

function throwIfAborted(signal) {
  if (signal?.aborted) throw abortErrorOf(signal);
}

class OrderedMap {
  #source;
  #fn;
  // What the function is given besides the chunk.
  #context;
  // How many may run at a time, and how many results may be under way or wait.
  #concurrency;
  #limit;
  #results = [];
  #running = 0;
  #stopped = false;
  #moreResults = new NextTime();
  #moreRoom = new NextTime();

  constructor(source, fn, signal, concurrency, limit) {
    this.#source = source;
    this.#fn = fn;
    this.#context = { signal };
    this.#concurrency = concurrency;
    this.#limit = limit;
  }

  async *run() {
    this.#fill();
    try {
      for (;;) {
        while (this.#results.length > 0) {
          const value = await this.#results[0];
          if (value === END) return;
          throwIfAborted(this.#context.signal);
          if (value !== NOTHING) yield value;
          this.#results.shift();
          this.#goOn();
        }
        await new Promise((resolve) => this.#moreResults.call(resolve));
      }
    } finally {
      this.#stopped = true;
      this.#moreRoom.happen();
    }
  }

  get #hasRoom() {
    return this.#running < this.#concurrency && this.#results.length < this.#limit;
  }

  #goOn() {
    if (!this.#stopped && this.#hasRoom) this.#moreRoom.happen();
  }

  // Reads the source as long as there is room.
  async #fill() {
    try {
      for await (const chunk of this.#source) {
        if (this.#stopped) return;
        throwIfAborted(this.#context.signal);
        const result = this.#apply(chunk);
        if (result === NOTHING) continue;
        this.#running++;
        this.#await(result);
        this.#moreResults.happen();
        if (!this.#stopped && !this.#hasRoom) await new Promise((resolve) => this.#moreRoom.call(resolve));
      }
      this.#results.push(END);
    } catch (err) {
      this.#await(Promise.reject(err));
    } finally {
      this.#stopped = true;
      this.#moreResults.happen();
    }
  }

  // A promise, or NOTHING; what is thrown here is thrown when the result is due.
  #apply(chunk) {
    try {
      const result = this.#fn(chunk, this.#context);
      return result === NOTHING ? NOTHING : Promise.resolve(result);
    } catch (err) {
      return Promise.reject(err);
    }
  }

  #await(result) {
    const settled = () => {
      this.#running--;
      this.#goOn();
    };
    result.then(settled, () => {
      this.#stopped = true;
      settled();
    });
    this.#results.push(result);
  }
}

module.exports = { NOTHING, OrderedMap, throwIfAborted };
