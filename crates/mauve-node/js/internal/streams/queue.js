// Queues. Fifo holds any values. ChunkQueue is the buffer of a readable stream: it counts bytes,
// characters or objects, and read(n) can split and join its chunks.
const { Buffer } = require('buffer');

// shift() only advances an index. The array is compacted when half of it is unused, and at least this many
// slots.
const COMPACT_THRESHOLD = 512;

class Fifo {
  constructor() { this.items = []; }
  get count() { return this.items.length - this.start; }
  get front() { return this.items[this.start]; }
  append(item) { this.items.push(item); }

  shift() {
    const { items } = this;
    const item = items[this.start];
    items[this.start++] = undefined;
    if (this.start === items.length) {
      items.length = 0;
      this.start = 0;
    } else if (this.start > COMPACT_THRESHOLD && this.start * 2 > items.length) {
      this.compact();
    }
    return item;
  }

  // Removes the unused slots; returns the array itself.
  compact() {
    if (this.start > 0) this.items.splice(0, this.start);
    this.start = 0;
    return this.items;
  }

  // Starts a new array, because a caller may still use the old one.
  clear() {
    this.items = [];
    this.start = 0;
  }
}

Fifo.prototype.start = 0;

class ChunkQueue extends Fifo {
  constructor(objectMode) {
    super();
    if (objectMode) this.objectMode = true;
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

  // Decodes all chunks into one string.
  decode(decoder) {
    const text = this.compact().reduce((sum, chunk) => sum + decoder.write(chunk), '');
    this.clear();
    if (text !== '') this.items.push(text);
    // In characters, in object mode too.
    this.size = text.length;
  }

  // Removes one object, or `amount` bytes or characters. Returns null if the queue is empty. All of a queue that
  // `isDecoded` is text, even if unshift() has added bytes.
  take(amount, isDecoded) {
    const { size } = this;
    if (size === 0) return null;
    if (this.objectMode) {
      this.size--;
      return this.shift();
    }
    const wanted = amount > 0 && amount < size ? amount : size;
    this.size -= wanted;
    if (isDecoded && wanted === size) {
      const text = this.compact().join('');
      this.clear();
      return text;
    }
    const frontLength = this.items[this.start].length;
    if (wanted === frontLength) return this.shift();
    return wanted < frontLength ? this.split(wanted) : this.concat(wanted);
  }

  // Joins several chunks.
  concat(amount) {
    const parts = [];
    for (let missing = amount; missing > 0; ) {
      const part = missing < this.front.length ? this.split(missing) : this.shift();
      missing -= part.length;
      parts.push(part);
    }
    return parts.some((part) => typeof part === 'string') ? parts.join('') : Buffer.concat(parts, amount);
  }

  // Removes the first `amount` of the chunk at the front.
  split(amount) {
    const { front } = this;
    this.items[this.start] = front.slice(amount);
    return front.slice(0, amount);
  }
}

// Initial values, as in Lifecycle.
Object.assign(ChunkQueue.prototype, { size: 0, objectMode: false });

module.exports = { ChunkQueue, Fifo };
