// stream.pipeline: connects streams, iterables and functions, and ends them together.
//
// Every connection has one or two ends that are waited for. The first error, or the last of these ends,
// destroys what is still open; the callback comes once they are all over, in a later tick.

const { codes } = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');
const kinds = require('internal/streams/kinds');
const { abortErrorOf } = require('internal/streams/add_abort_signal');
const { connect, pump } = require('internal/streams/connect');
const { destroyAny } = require('internal/streams/life');
const { finished } = require('internal/streams/finished');
const { iterableOver } = require('internal/streams/iterator');
const { once } = require('internal/streams/once');
const { isReadable } = require('internal/streams/condition');

const isPremature = (err) => err?.code === 'ERR_STREAM_PREMATURE_CLOSE';

class Pipeline {
  #callback;
  #outer;
  #inner = new AbortController();
  #endsLast;
  #length;
  // How to destroy each of the streams that have not come to an end by themselves.
  #destroyers = [];
  // How to leave the last stream alone, which may live on after all went well.
  #releases = [];
  #error;
  #value;
  #awaited = 0;
  #onAbort = () => this.#note(abortErrorOf(this.#outer), false);

  constructor(callback, { signal, end } = {}) {
    validateAbortSignal(signal, 'options.signal');
    this.#callback = callback;
    this.#endsLast = end !== false;
    this.#outer = signal;
  }

  // Gives back the end of the line: a stream, or something to iterate over.
  run(steps) {
    if (this.#outer?.aborted === false) this.#outer.addEventListener('abort', this.#onAbort, { once: true });
    this.#length = steps.length;
    const end = steps.reduce((previous, step, index) => {
      if (kinds.stream(step)) this.#guard(step, index);
      if (index === 0) return this.#first(step);
      if (typeof step === 'function') return this.#call(step, previous, index);
      if (kinds.stream(step)) return this.#connect(previous, step, index);
      return duplexFrom(step);
    }, undefined);
    if (this.#inner.signal.aborted || this.#outer?.aborted) process.nextTick(this.#onAbort);
    return end;
  }

  #isLast(index) {
    return index === this.#length - 1;
  }

  #ends(index) {
    return this.#endsLast || !this.#isLast(index);
  }

  // An open stream at the end of the line is given back to the program afterwards.
  #releaseLast(stream, index, release) {
    if (this.#isLast(index) && isReadable(stream)) this.#releases.push(release);
  }

  #guard(stream, index) {
    if (this.#ends(index)) {
      const unwatch = this.#destroyWithUs(stream, !this.#isLast(index), index > 0);
      this.#releaseLast(stream, index, unwatch);
    }
    // Errors that follow from another one are not news.
    const onError = (err) => {
      if (err && err.name !== 'AbortError' && !isPremature(err)) this.#oneOver(err);
    };
    stream.on('error', onError);
    this.#releaseLast(stream, index, () => stream.removeListener('error', onError));
  }

  #destroyWithUs(stream, readable, writable) {
    let isOver = false;
    stream.on('close', () => {
      isOver = true;
    });
    this.#destroyers.push((err) => {
      if (isOver) return;
      isOver = true;
      destroyAny(stream, err || new codes.ERR_STREAM_DESTROYED('pipe'));
    });
    return finished(stream, { readable, writable }, (err) => {
      isOver = !err;
    });
  }

  #first(step) {
    if (typeof step !== 'function') return kinds.iterable(step) || kinds.reader(step) ? step : duplexFrom(step);
    const source = step({ signal: this.#inner.signal });
    if (kinds.iterable(source)) return source;
    throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', source);
  }

  #call(fn, previous, index) {
    const result = fn(iterableOver(previous), { signal: this.#inner.signal });
    if (this.#isLast(index)) return this.#collect(result);
    if (kinds.asyncIterable(result)) return result;
    throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${index - 1}]`, result);
  }

  // What a function at the end of the line gives is a stream for those outside.
  #collect(result) {
    const { PassThrough } = require('internal/streams/transform');
    const output = new PassThrough({ objectMode: true });
    if (kinds.thenable(result)) {
      this.#awaited++;
      result.then(
        (value) => {
          this.#value = value;
          if (value != null) output.write(value);
          if (this.#endsLast) output.end();
          process.nextTick(() => this.#oneOver());
        },
        (err) => {
          output.destroy(err);
          process.nextTick(() => this.#oneOver(err));
        },
      );
    } else if (kinds.asyncIterable(result)) {
      this.#pump(result, output, this.#endsLast);
    } else {
      throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', result);
    }
    this.#releases.push(this.#destroyWithUs(output, false, true));
    return output;
  }

  #connect(previous, stream, index) {
    if (kinds.reader(previous)) {
      // Both the source and the destination report.
      this.#awaited += 2;
      const unwatch = connect(previous, stream, this.#report, this.#ends(index));
      this.#releaseLast(stream, index, unwatch);
    } else if (kinds.iterable(previous)) {
      this.#pump(previous, stream, this.#ends(index));
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], previous);
    }
    return stream;
  }

  #pump(iterable, stream, ends) {
    this.#awaited++;
    pump(iterable, stream, this.#report, ends);
  }

  #report = (err) => this.#oneOver(err);

  #oneOver(err) {
    this.#awaited--;
    this.#note(err, this.#awaited === 0);
  }

  #note(err, isLast) {
    // A premature close is mostly the consequence of an error that comes to light later.
    if (err && (!this.#error || isPremature(this.#error))) this.#error = err;
    if (!this.#error && !isLast) return;
    for (const destroy of this.#destroyers.splice(0)) destroy(this.#error);
    this.#outer?.removeEventListener('abort', this.#onAbort);
    this.#inner.abort();
    if (!isLast) return;
    if (!this.#error) for (const release of this.#releases) release();
    process.nextTick(this.#callback, this.#error, this.#value);
  }
}

function duplexFrom(thing) {
  return require('internal/streams/duplex').from(thing);
}

function runPipeline(given, callback, options) {
  const steps = given.length === 1 && Array.isArray(given[0]) ? given[0] : given;
  if (steps.length < 2) throw new codes.ERR_MISSING_ARGS('streams');
  return new Pipeline(callback, options).run(steps);
}

function pipeline(...streams) {
  const callback = streams.pop();
  validateFunction(callback, 'streams[stream.length - 1]');
  return runPipeline(streams, once(callback));
}

// The same as a promise, for stream/promises; options may come last.
function pipelinePromise(...streams) {
  return new Promise((resolve, reject) => {
    const last = streams.at(-1);
    const isOptions = last && typeof last === 'object' && !kinds.stream(last) && !kinds.iterable(last);
    const options = isOptions ? streams.pop() : {};
    runPipeline(streams, (err, value) => (err ? reject(err) : resolve(value)), options);
  });
}

module.exports = { pipeline, pipelinePromise, runPipeline };
