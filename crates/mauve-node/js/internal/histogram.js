// Histograms of integers, and the histogram of the event loop delay. The binding holds the values.
const { codes } = require('internal/errors');
const { customInspectSymbol, inspectAs } = require('internal/util/web_class');
const { validateInteger, validateNumber, validateObject } = require('internal/validators');
const { createHistogram: createNative } = binding('perf');
const kCreate = Symbol('create');
// The indices of a summary.
const [COUNT, EXCEEDS, MIN, MAX, MEAN, STDDEV, SKEWNESS, KURTOSIS] = [0, 1, 2, 3, 4, 5, 6, 7];

// The smallest value of an empty histogram has no exact number.
const toBigInt = (value) => (value === 2 ** 63 ? 2n ** 63n - 1n : BigInt(value));

class Histogram {
  _native;

  constructor(key, native) {
    if (key !== kCreate) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    Object.defineProperty(this, '_native', { value: native, enumerable: false });
  }

  percentile(percentile) {
    validateNumber(percentile, 'percentile');
    if (Number.isNaN(percentile) || percentile <= 0 || percentile > 100) throw new codes.ERR_OUT_OF_RANGE('percentile', '> 0 && <= 100', percentile);
    return this._native.percentile(percentile);
  }

  percentileBigInt(percentile) { return BigInt(this.percentile(percentile)); }

  get percentiles() {
    const result = new Map();
    const list = this._native.percentiles();
    for (let i = 0; i < list.length; i += 2) result.set(list[i], list[i + 1]);
    return result;
  }

  get percentilesBigInt() { return new Map([...this.percentiles].map(([percentile, value]) => [percentile, BigInt(value)])); }
  reset() { this._native.reset(); }

  toJSON() {
    const { count, min, max, mean, exceeds, stddev, skewness, kurtosis, percentiles } = this;
    // There are no moving averages.
    const averages = { ewmaMean: 0, ewmaStddev: 0, ewmaErrorRate: 0 };
    return { count, min, max, mean, exceeds, stddev, skewness, kurtosis, ...averages,
      percentiles: Object.fromEntries(percentiles) };
  }

  [customInspectSymbol](...args) {
    const { min, max, mean, exceeds, stddev, skewness, kurtosis, count, percentiles } = this;
    const values = { min, max, mean, exceeds, stddev, skewness, kurtosis, count, percentiles };
    return inspectAs(this, 'Histogram', values, ...args);
  }
}

for (const [name, index] of Object.entries({ count: COUNT, exceeds: EXCEEDS, min: MIN, max: MAX, mean: MEAN, stddev: STDDEV,
  skewness: SKEWNESS, kurtosis: KURTOSIS })) {
  const define = (key, convert) => Object.defineProperty(Histogram.prototype, key, {
    get() { return convert(this._native.summary()[index]); }, configurable: true,
  });
  define(name, Number);
  if (index < MEAN) define(`${name}BigInt`, toBigInt);
}

class RecordableHistogram extends Histogram {
  #last;

  record(value) {
    if (typeof value === 'bigint') value = Number(value);
    validateInteger(value, 'val', 1);
    this._native.record(value, 1);
  }

  recordDelta() {
    const time = Number(process.hrtime.bigint());
    if (this.#last !== undefined) this._native.record(Math.max(1, time - this.#last), 1);
    this.#last = time;
  }

  add(other) {
    if (!(other instanceof RecordableHistogram)) throw new codes.ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    const counts = other._native.counts();
    for (let i = 0; i < counts.length; i += 2) this._native.record(counts[i], counts[i + 1]);
  }
}

// Records the actual interval of a repeating timer, in nanoseconds.
class IntervalHistogram extends Histogram {
  #resolution;
  #timer;
  #last;

  constructor(key, native, resolution) {
    super(key, native);
    this.#resolution = resolution;
  }

  enable() {
    if (this.#timer !== undefined) return false;
    this.#last = process.hrtime.bigint();
    this.#timer = setInterval(() => {
      const time = process.hrtime.bigint();
      this._native.record(Number(time - this.#last), 1);
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

// A bound, which may be a BigInt.
function toBound(value, name, smallest) {
  if (typeof value === 'bigint') value = Number(value);
  validateInteger(value, name, smallest);
  return value;
}

function createHistogram(options = {}) {
  validateObject(options, 'options');
  const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
  const low = toBound(lowest, 'options.lowest', 1);
  const high = toBound(highest, 'options.highest', 2 * low);
  validateInteger(figures, 'options.figures', 1, 5);
  return new RecordableHistogram(kCreate, createNative(low, high, figures));
}

function monitorEventLoopDelay(options = {}) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  // Delays of up to an hour.
  return new IntervalHistogram(kCreate, createNative(1, 3600e9, 3), resolution);
}

module.exports = { createHistogram, monitorEventLoopDelay };
