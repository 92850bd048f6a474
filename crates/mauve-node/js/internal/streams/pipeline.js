// stream.pipeline: connects streams, iterables and functions, and destroys them together.
//
// Every connection reports once or twice. After the first error or the last report, the streams that are
// still open are destroyed. The callback runs in a tick after the last report, and after an error when all streams
// have finished.
const { abortError } = require('internal/abort');
const { codes } = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');
const types = require('internal/streams/types');
const { connect, pump } = require('internal/streams/connect');
const { destroyer } = require('internal/streams/destroy');
const { finished } = require('internal/streams/finished');
const { makeAsyncIterable } = require('internal/streams/iterator');
const { once } = require('internal/streams/callbacks');
const { isReadable } = require('internal/streams/utils');
const isPremature = (err) => err?.code === 'ERR_STREAM_PREMATURE_CLOSE';

class Pipeline {
  #callback;
  #outer;
  #inner = new AbortController();
  #endsLast;
  #length;
  // Functions that destroy the streams which have not finished, and the number of streams that are still watched.
  #destroyers = [];
  #watched = 0;
  #isOver = false;
  // Functions that remove the listeners of the last stream, which stays open after success.
  #releases = [];
  #error;
  #value;
  #awaited = 0;
  #onAbort = () => this.#settle(abortError(this.#outer), false);

  constructor(callback, { signal, end } = {}) {
    validateAbortSignal(signal, 'options.signal');
    this.#callback = callback;
    this.#endsLast = end !== false;
    this.#outer = signal;
  }

  // Returns the output of the last step: a stream or an iterable.
  run(steps) {
    if (this.#outer?.aborted === false) this.#outer.addEventListener('abort', this.#onAbort, { once: true });
    this.#length = steps.length;
    const end = steps.reduce((previous, step, index) => {
      if (types.isNodeStream(step)) this.#watch(step, index);
      if (index === 0) return this.#openSource(step);
      if (typeof step === 'function') return this.#callStep(step, previous, index);
      if (types.isNodeStream(step)) return this.#connect(previous, step, index);
      return duplexFrom(step);
    }, undefined);
    if (this.#inner.signal.aborted || this.#outer?.aborted) process.nextTick(this.#onAbort);
    return end;
  }

  #isLast(index) { return index === this.#length - 1; }
  #ends(index) { return this.#endsLast || !this.#isLast(index); }

  // The caller may read from the last stream after the pipeline has finished.
  #releaseLast(stream, index, release) { if (this.#isLast(index) && isReadable(stream)) this.#releases.push(release); }

  #watch(stream, index) {
    if (this.#ends(index)) {
      const unwatch = this.#addDestroyer(stream, !this.#isLast(index), index > 0);
      this.#releaseLast(stream, index, unwatch);
    }
    // Errors caused by destroying the streams after another error are ignored.
    const onError = (err) => { if (err && err.name !== 'AbortError' && !isPremature(err)) this.#onReport(err); };
    stream.on('error', onError);
    this.#releaseLast(stream, index, () => stream.removeListener('error', onError));
  }

  #addDestroyer(stream, readable, writable) {
    let isDone = false;
    let hasReported = false;
    this.#watched++;
    stream.on('close', () => { isDone = true; });
    this.#destroyers.push((err) => {
      if (isDone) return;
      isDone = true;
      destroyer(stream, err || new codes.ERR_STREAM_DESTROYED('pipe'));
    });
    return finished(stream, { readable, writable }, (err) => {
      isDone = !err;
      if (hasReported) return;
      hasReported = true;
      this.#watched--;
      this.#callBackIfOver();
    });
  }

  #openSource(step) {
    if (typeof step !== 'function') return types.isIterable(step) || types.isReadableNodeStream(step) ? step : duplexFrom(step);
    const source = step({ signal: this.#inner.signal });
    if (types.isIterable(source)) return source;
    throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', source);
  }

  #callStep(fn, previous, index) {
    const result = fn(makeAsyncIterable(previous), { signal: this.#inner.signal });
    if (this.#isLast(index)) return this.#collect(result);
    if (types.isAsyncIterable(result)) return result;
    throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${index - 1}]`, result);
  }

  // The result of a function at the end of the pipeline is returned as a stream.
  #collect(result) {
    const { PassThrough } = require('internal/streams/transform');
    const output = new PassThrough({ objectMode: true });
    // Read only once: it may be an accessor.
    const then = result?.then;
    if (typeof then === 'function') {
      this.#awaited++;
      then.call(result,
        (value) => {
          this.#value = value;
          if (value != null) output.write(value);
          if (this.#endsLast) output.end();
          process.nextTick(() => this.#onReport());
        },
        (err) => {
          output.destroy(err);
          process.nextTick(() => this.#onReport(err));
        },
      );
    } else if (types.isAsyncIterable(result)) {
      this.#pump(result, output, this.#endsLast);
    } else {
      throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', result);
    }
    this.#releases.push(this.#addDestroyer(output, false, true));
    return output;
  }

  #connect(previous, stream, index) {
    if (types.isReadableNodeStream(previous)) {
      // Both the source and the destination report.
      this.#awaited += 2;
      const unwatch = connect(previous, stream, this.#report, this.#ends(index));
      this.#releaseLast(stream, index, unwatch);
    } else if (types.isIterable(previous)) {
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

  #report = (err) => this.#onReport(err);

  #onReport(err) {
    this.#awaited--;
    this.#settle(err, this.#awaited === 0);
  }

  #settle(err, isLast) {
    // Most often a premature close is caused by an error that is reported later.
    if (err && (!this.#error || isPremature(this.#error))) this.#error = err;
    if (!this.#error && !isLast) return;
    for (const destroy of this.#destroyers.splice(0)) destroy(this.#error);
    this.#outer?.removeEventListener('abort', this.#onAbort);
    this.#inner.abort();
    if (!isLast) return;
    if (!this.#error) for (const release of this.#releases) release();
    this.#isOver = true;
    this.#callBackIfOver();
  }

  // After an error the callback waits until all streams have finished.
  #callBackIfOver() {
    if (!this.#isOver || (this.#error && this.#watched > 0)) return;
    this.#isOver = false;
    process.nextTick(this.#callback, this.#error, this.#value);
  }
}

function duplexFrom(thing) { return require('internal/streams/duplex').from(thing); }

function runPipeline(args, callback, options) {
  const steps = args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
  if (steps.length < 2) throw new codes.ERR_MISSING_ARGS('streams');
  return new Pipeline(callback, options).run(steps);
}

function pipeline(...streams) {
  const callback = streams.pop();
  validateFunction(callback, 'streams[stream.length - 1]');
  return runPipeline(streams, once(callback));
}

// The promise variant, for stream/promises. The last argument may be options.
function pipelinePromise(...streams) {
  return new Promise((resolve, reject) => {
    const last = streams.at(-1);
    const isOptions = last && typeof last === 'object' && !types.isNodeStream(last) && !types.isIterable(last);
    const options = isOptions ? streams.pop() : {};
    runPipeline(streams, (err, value) => (err ? reject(err) : resolve(value)), options);
  });
}

module.exports = { pipeline, pipelinePromise, runPipeline };
