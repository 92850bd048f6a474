// The module 'perf_hooks': marks and measures, observers and histograms.
const { codes, refuse } = require('internal/errors');
const { customInspectSymbol, defineWebClass, inspectAs } = require('internal/util/web_class');
const { validateFunction, validateNumber, validateObject } = require('internal/validators');
const native = binding('process');
const perf = binding('perf');
const state = require('internal/async_state');
const started = native.uptimeStart();
const now = () => native.hrtime() - started;
const timeOrigin = Date.now() - now();
const eventLoopUtilization = require('internal/event_loop_utilization').createEventLoopUtilization(now);
const kCreate = Symbol('create');

class PerformanceEntry {
  #values;

  constructor(key, name, entryType, startTime, duration) {
    if (key !== kCreate) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#values = { name, entryType, startTime, duration };
  }

  get name() { return this.#values.name; }
  get entryType() { return this.#values.entryType; }
  get startTime() { return this.#values.startTime; }
  get duration() { return this.#values.duration; }

  toJSON() {
    const { name, entryType, startTime, duration } = this;
    return { name, entryType, startTime, duration };
  }

  [customInspectSymbol](...args) { return inspectAs(this, this.constructor.name, this.toJSON(), ...args); }
}

class PerformanceNodeEntry extends PerformanceEntry {
  #detail;

  constructor(key, name, type, start, duration, detail) {
    super(key, name, type, start, duration);
    this.#detail = detail;
  }

  get detail() { return this.#detail; }
  toJSON() { return { ...super.toJSON(), detail: this.#detail }; }
}

class PerformanceMark extends PerformanceNodeEntry {
  constructor(name, options) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    name = `${name}`;
    if (options != null) validateObject(options, 'options');
    const start = options?.startTime ?? now();
    validateNumber(start, 'startTime');
    if (start < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(start);
    super(kCreate, name, 'mark', start, 0, options?.detail == null ? null : structuredClone(options.detail));
  }
}

class PerformanceMeasure extends PerformanceNodeEntry {}

for (const Class of [PerformanceMark, PerformanceMeasure]) defineWebClass(Class, []);

function uvMetricsInfo() {
  const [loopCount, events, eventsWaiting] = perf.metrics();
  return { loopCount, events, eventsWaiting };
}

// The start of the process, in milliseconds, and of its loop.
class PerformanceNodeTiming extends PerformanceEntry {
  constructor() {
    super(kCreate, 'node', 'node', 0, 0);
    const loaded = now();
    Object.assign(this, { nodeStart: 0, v8Start: loaded / 4, environment: loaded / 2, bootstrapComplete: loaded });
    const getters = { loopStart: perf.loopStart, loopExit: () => (process._exiting ? now() : -1), idleTime: perf.idle, uvMetricsInfo };
    for (const [name, get] of Object.entries(getters)) Object.defineProperty(this, name, { enumerable: true, get });
  }

  get duration() { return now(); }
  toJSON() { return { ...super.toJSON(), ...this }; }
}

const entries = [];
const observers = new Set();

function byStart(a, b) { return a.startTime - b.startTime; }

function filterByName(list, name, type) {
  const hasType = (entry) => type === undefined || entry.entryType === type;
  return list.filter((entry) => entry.name === `${name}` && hasType(entry));
}

function add(entry) {
  entries.push(entry);
  for (const observer of observers) observer._enqueue(entry);
}

function remove(type, name) {
  if (name !== undefined) name = `${name}`;
  for (let i = entries.length - 1; i >= 0; i--) {
    if (entries[i].entryType === type && (name === undefined || entries[i].name === name)) entries.splice(i, 1);
  }
}

// Starts to measure an operation of another module, if an observer wants it. Returns the function that ends
// the measurement.
function startMeasure(type, name) {
  const start = now();
  if (![...observers].some((observer) => observer._observes(type))) return undefined;
  return (getDetail) => {
    const entry = new PerformanceNodeEntry(kCreate, name, type, start, now() - start, getDetail());
    for (const observer of observers) observer._enqueue(entry);
  };
}

const MILESTONES = ['nodeStart', 'v8Start', 'environment', 'bootstrapComplete', 'loopStart', 'loopExit'];

function timeOfMark(mark) {
  if (mark === undefined) return undefined;
  if (MILESTONES.includes(mark)) return performance.nodeTiming[mark];
  if (typeof mark === 'number') {
    if (mark < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(mark);
    return mark;
  }
  const found = entries.findLast((entry) => entry.entryType === 'mark' && entry.name === `${mark}`);
  if (found === undefined) throw new DOMException(`The "${mark}" performance mark has not been set`, 'SyntaxError');
  return found.startTime;
}

// The start and the end of a measure: from marks, times, or an object with two of start, end and duration.
function measureTimes(startOrOptions, endMark) {
  const options = startOrOptions !== null && typeof startOrOptions === 'object' ? startOrOptions : undefined;
  if (options !== undefined && Object.keys(options).length > 0) {
    if (endMark !== undefined) throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('endMark must not be specified');
    const isEmpty = ['start', 'end', 'duration', 'detail'].every((key) => options[key] === undefined);
    if (isEmpty) throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('One of options.start or options.end is required');
    if (options.start !== undefined && options.end !== undefined && options.duration !== undefined) {
      throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS(
        'Must not have options.start, options.end, and options.duration specified');
    }
  }
  const { start, end, duration } = options ?? { start: startOrOptions, end: endMark };
  let to = timeOfMark(end);
  let from = timeOfMark(start);
  if (to === undefined) to = from !== undefined && duration !== undefined ? from + duration : now();
  if (from === undefined) from = end !== undefined && duration !== undefined ? to - duration : 0;
  return { from, to, detail: options?.detail };
}

let nodeTiming;

class Performance extends EventTarget {
  constructor(key) {
    if (key !== kCreate) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  clearMarks(name = undefined) { remove('mark', name); }
  clearMeasures(name = undefined) { remove('measure', name); }
  getEntries() { return [...entries].sort(byStart); }

  getEntriesByName(name, type = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    return filterByName(this.getEntries(), name, type);
  }

  getEntriesByType(type) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    return this.getEntries().filter((entry) => entry.entryType === `${type}`);
  }

  mark(name, options = {}) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    const mark = new PerformanceMark(name, options);
    add(mark);
    return mark;
  }

  measure(name, startOrOptions = undefined, endMark = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    const { from, to, detail } = measureTimes(startOrOptions, endMark);
    const copy = detail === undefined || detail === null ? null : structuredClone(detail);
    const measure = new PerformanceMeasure(kCreate, `${name}`, 'measure', from, to - from, copy);
    add(measure);
    return measure;
  }

  now() { return now(); }
  get timeOrigin() { return timeOrigin; }
  get nodeTiming() { return (nodeTiming ??= new PerformanceNodeTiming()); }
  eventLoopUtilization(first, second) { return eventLoopUtilization(first, second); }

  timerify(fn, options = {}) {
    validateFunction(fn, 'fn');
    validateObject(options, 'options');
    const { histogram } = options;
    if (histogram !== undefined && typeof histogram?.record !== 'function') {
      throw new codes.ERR_INVALID_ARG_TYPE('options.histogram', 'RecordableHistogram', histogram);
    }
    function timerified(...args) {
      const start = now();
      const finish = () => {
        const duration = now() - start;
        histogram?.record(Math.max(1, Math.ceil(duration * 1e6)));
        // The entry has the arguments as properties.
        add(Object.assign(new PerformanceEntry(kCreate, fn.name, 'function', start, duration), args));
      };
      const result = new.target ? Reflect.construct(fn, args, fn) : Reflect.apply(fn, this, args);
      if (!new.target && typeof result?.finally === 'function') return result.finally(finish);
      finish();
      return result;
    }
    Object.defineProperties(timerified, {
      length: { configurable: false, enumerable: true, value: fn.length },
      name: { configurable: false, enumerable: true, value: `timerified ${fn.name}` },
    });
    return timerified;
  }

  toJSON() { return { nodeTiming: this.nodeTiming, timeOrigin, eventLoopUtilization: this.eventLoopUtilization() }; }
  [customInspectSymbol](...args) { return inspectAs(this, 'Performance', { timeOrigin }, ...args); }
}
defineWebClass(Performance, []);

class PerformanceObserverEntryList {
  #entries;

  constructor(key, list) {
    if (key !== kCreate) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#entries = [...list].sort(byStart);
  }

  getEntries() { return [...this.#entries]; }
  getEntriesByType(type) { return this.#entries.filter((entry) => entry.entryType === `${type}`); }
  getEntriesByName(name, type = undefined) { return filterByName(this.#entries, name, type); }
  [customInspectSymbol](...args) { return inspectAs(this, 'PerformanceObserverEntryList', this.#entries, ...args); }
}

class PerformanceObserver {
  #callback;
  #types = new Set();
  #buffer = [];
  #scheduled = false;

  constructor(callback) {
    validateFunction(callback, 'callback');
    this.#callback = callback;
  }

  static get supportedEntryTypes() { return ['dns', 'function', 'http', 'mark', 'measure', 'net']; }

  observe(options = {}) {
    validateObject(options, 'options');
    const { entryTypes, type, buffered } = options;
    if (entryTypes === undefined && type === undefined) throw new codes.ERR_MISSING_ARGS('options.entryTypes', 'options.type');
    if (entryTypes != null && type != null) {
      throw new codes.ERR_INVALID_ARG_VALUE('options.entryTypes', entryTypes,
        'options.entryTypes can not set with options.type together');
    }
    const supported = PerformanceObserver.supportedEntryTypes;
    if (entryTypes !== undefined) {
      require('internal/validators').validateArray(entryTypes, 'options.entryTypes');
      this.#types = new Set(entryTypes.filter((name) => supported.includes(name)));
    } else if (supported.includes(type)) {
      this.#types.add(type);
      if (buffered) entries.filter((entry) => entry.entryType === type).forEach((entry) => this._enqueue(entry));
    }
    if (this.#types.size > 0) observers.add(this);
    else this.disconnect();
    if (['dns', 'http', 'net'].some((name) => this._observes(name))) state.measure = startMeasure;
  }

  disconnect() {
    observers.delete(this);
    this.#buffer = [];
    this.#types.clear();
  }

  takeRecords() { return this.#buffer.splice(0); }
  _observes(type) { return this.#types.has(type); }

  _enqueue(entry) {
    if (!this._observes(entry.entryType)) return;
    this.#buffer.push(entry);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const list = this.takeRecords();
      if (list.length > 0) Reflect.apply(this.#callback, this, [new PerformanceObserverEntryList(kCreate, list), this]);
    });
  }
}

// Only fetch() creates resource timings.
refuse(Performance.prototype, 'performance',
  ['clearResourceTimings', 'markResourceTiming', 'setResourceTimingBufferSize']);

const performance = new Performance(kCreate);

module.exports = {
  Performance, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceObserver, PerformanceObserverEntryList,
  monitorEventLoopDelay: (options) => require('internal/histogram').monitorEventLoopDelay(options),
  createHistogram: (options) => require('internal/histogram').createHistogram(options),
  performance,
  constants: {},
};
