// stream.duplexPair: two ends of one line. What is written into one is read from the other.

const Duplex = require('internal/streams/duplex');

class LineEnd extends Duplex {
  // The far end.
  #far = null;
  // The answer to the far end's last write, given once this end wants to read on.
  #unanswered = null;

  static pair(options) {
    const ends = [new LineEnd(options), new LineEnd(options)];
    ends[0].#far = ends[1];
    ends[1].#far = ends[0];
    return ends;
  }

  #deliver(chunk, answer) {
    this.push(chunk);
    this.#unanswered = answer;
  }

  _read() {
    const answer = this.#unanswered;
    this.#unanswered = null;
    answer?.();
  }

  _write(chunk, encoding, answer) {
    // Nothing would be pushed, so nobody would ask for more.
    if (chunk.length === 0) process.nextTick(answer);
    else this.#far.#deliver(chunk, answer);
  }

  _final(answer) {
    this.#far.on('end', answer);
    this.#far.push(null);
  }
}

// Programs see this as the name of the class.
Object.defineProperty(LineEnd, 'name', { value: 'DuplexSide' });

module.exports = { duplexPair: (options) => LineEnd.pair(options) };
