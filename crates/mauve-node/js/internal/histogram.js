// Histograms of integers, and the histogram of the event loop delay.

const { codes } = require('internal/errors');
const { validateInteger, validateNumber, validateObject } = require('internal/validators');

const customInspectSymbol = Symbol.for('nodejs.util.inspect.custom');

const kCreate = Symbol('create');

// Rounds to three significant digits, so that the table stays small.
function rounded(value) {
  if (value < 2048) return value;
  const step = 2 ** (Math.floor(Math.log2(value)) - 10);
  return Math.floor(value / step) * step;
}

// util.inspect shows the name of Node's class.
class SafeMap extends Map {}

class Histogram {
  #counts = new Map();
  #count = 0;
  #exceeds = 0;

  constructor(key) {
    if (key !== kCreate) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  _record(value) {
    const bucket = rounded(value);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  #sorted() {
    return [...this.#counts].sort(([a], [b]) => a - b);
  }

  get count() { return this.#count; }
  get exceeds() { return this.#exceeds; }
  get min() { return this.#count === 0 ? 9223372036854776000 : Math.min(...this.#counts.keys()); }
  get max() { return this.#count === 0 ? 0 : Math.max(...this.#counts.keys()); }

  get mean() {
    if (this.#count === 0) return NaN;
    let sum = 0;
    for (const [value, count] of this.#counts) sum += value * count;
    return sum / this.#count;
  }

  get stddev() {
    if (this.#count === 0) return NaN;
    const { mean } = this;
    let sum = 0;
    for (const [value, count] of this.#counts) sum += count * (value - mean) ** 2;
    return Math.sqrt(sum / this.#count);
  }

  percentile(percentile) {
    validateNumber(percentile, 'percentile');
    if (Number.isNaN(percentile) || percentile <= 0 || percentile > 100) {
      throw new codes.ERR_OUT_OF_RANGE('percentile', '> 0 && <= 100', percentile);
    }
    const wanted = Math.max(1, Math.ceil((percentile / 100) * this.#count));
    let seen = 0;
    for (const [value, count] of this.#sorted()) {
      seen += count;
      if (seen >= wanted) return value;
    }
    return 0;
  }

  // Each step halves the distance to 100.
  get percentiles() {
    const result = new SafeMap();
    if (this.#count > 0) result.set(0, this.min);
    for (let percentile = 50; this.#count > 0 && percentile < 100; percentile += (100 - percentile) / 2) {
      const value = this.percentile(percentile);
      result.set(percentile, value);
      if (value === this.max) break;
    }
    result.set(100, this.max);
    return result;
  }

  reset() {
    this.#counts.clear();
    this.#count = 0;
    this.#exceeds = 0;
  }

  toJSON() {
    const { count, min, max, mean, exceeds, stddev, percentiles } = this;
    return { count, min, max, mean, exceeds, stddev, percentiles: Object.fromEntries(percentiles) };
  }

  [customInspectSymbol](depth, options, inspect) {
    if (depth < 0) return this;
    const { min, max, mean, exceeds, stddev, count, percentiles } = this;
    const shown = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `Histogram ${inspect({ min, max, mean, exceeds, stddev, count, percentiles }, shown)}`;
  }
}

class RecordableHistogram extends Histogram {
  #last;

  record(value) {
    if (typeof value === 'bigint') value = Number(value);
    validateInteger(value, 'val', 1);
    this._record(value);
  }

  recordDelta() {
    const time = Number(process.hrtime.bigint());
    if (this.#last !== undefined) this._record(Math.max(1, time - this.#last));
    this.#last = time;
  }
}

// Records the actual interval of a repeating timer, in nanoseconds.
class IntervalHistogram extends Histogram {
  #resolution;
  #timer;
  #last;

  constructor(key, resolution) {
    super(key);
    this.#resolution = resolution;
  }

  enable() {
    if (this.#timer !== undefined) return false;
    this.#last = process.hrtime.bigint();
    this.#timer = setInterval(() => {
      const time = process.hrtime.bigint();
      this._record(Number(time - this.#last));
      this.#last = time;
    }, this.#resolution);
    this.#timer.unref();
    return true;
  }

  disable() {
    if (this.#timer === undefined) return false;
    clearInterval(this.#timer);
    this.#timer = undefined;
    return true;
  }
}

function createHistogram(options = {}) {
  validateObject(options, 'options');
  return new RecordableHistogram(kCreate);
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  return new IntervalHistogram(kCreate, resolution);
}

module.exports = { createHistogram, monitorEventLoopDelay };
