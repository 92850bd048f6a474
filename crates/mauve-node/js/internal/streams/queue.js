// First in, first out. Fifo holds anything; ChunkQueue holds what a readable stream has ready, knows its
// size, and gives it away in portions.

const { Buffer } = require('buffer');

// Slots given away at the front stay empty until there are this many; then the rest moves up.
const SLACK = 512;

class Fifo {
  items = [];
  start = 0;

  get count() {
    return this.items.length - this.start;
  }

  get front() {
    return this.items[this.start];
  }

  append(item) {
    this.items.push(item);
  }

  shift() {
    const { items } = this;
    const item = items[this.start];
    items[this.start++] = undefined;
    if (this.start === items.length) {
      items.length = 0;
      this.start = 0;
    } else if (this.start > SLACK) {
      this.compacted();
    }
    return item;
  }

  // The array itself, without the empty slots.
  compacted() {
    if (this.start > 0) this.items.splice(0, this.start);
    this.start = 0;
    return this.items;
  }

  // Leaves the old array to whoever holds it.
  forget() {
    this.items = [];
    this.start = 0;
  }
}

class ChunkQueue extends Fifo {
  size = 0;

  constructor(objectMode) {
    super();
    this.objectMode = objectMode;
  }

  append(chunk) {
    this.items.push(chunk);
    this.size += this.objectMode ? 1 : chunk.length;
  }

  prepend(chunk) {
    if (this.start > 0) this.items[--this.start] = chunk;
    else this.items.unshift(chunk);
    this.size += this.objectMode ? 1 : chunk.length;
  }

  // Everything there is becomes one text.
  becomeText(decoder) {
    const text = this.compacted().reduce((sum, chunk) => sum + decoder.write(chunk), '');
    this.forget();
    if (text !== '') this.items.push(text);
    // In characters, whatever the mode.
    this.size = text.length;
  }

  // One object, or `amount` bytes or characters; null if there is nothing.
  take(amount) {
    const { size } = this;
    if (size === 0) return null;
    if (this.objectMode) {
      this.size--;
      return this.shift();
    }
    const some = amount > 0 && amount < size ? amount : size;
    this.size -= some;
    const has = this.items[this.start].length;
    if (some === has) return this.shift();
    return some < has ? this.split(some) : this.gather(some);
  }

  // Out of several chunks.
  gather(amount) {
    const parts = [];
    for (let missing = amount; missing > 0; ) {
      const part = missing < this.front.length ? this.split(missing) : this.shift();
      missing -= part.length;
      parts.push(part);
    }
    return typeof parts[0] === 'string' ? parts.join('') : Buffer.concat(parts, amount);
  }

  // The first `amount` of the chunk at the front, which keeps the rest.
  split(amount) {
    const { front } = this;
    this.items[this.start] = front.slice(amount);
    return front.slice(0, amount);
  }
}

module.exports = { ChunkQueue, Fifo };
