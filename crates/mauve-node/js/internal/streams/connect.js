// The two kinds of connection in a pipeline: readable stream to stream, and iterable to stream.
const { codes } = require('internal/errors');
const { finished } = require('internal/streams/finished');
const { PendingCallback } = require('internal/streams/callbacks');
const { aggregateTwoErrors, isSideEnded } = require('internal/streams/utils');

// Pipes the source. Calls `report` once for the source and once for the destination, with an error or
// without. Returns a function that stops watching the destination.
function connect(source, dest, report, ends) {
  let hasEnded = false;
  dest.on('close', () => { if (!hasEnded) report(new codes.ERR_STREAM_PREMATURE_CLOSE()); });
  source.pipe(dest, { end: false });
  if (ends) {
    const end = () => {
      hasEnded = true;
      dest.end();
    };
    if (isSideEnded(source, 'readable')) process.nextTick(end);
    else source.once('end', end);
  } else {
    report();
  }
  finished(source, { readable: true, writable: false }, (err) => {
    if (err?.code === 'ERR_STREAM_PREMATURE_CLOSE' && mayStillEnd(source)) {
      source.once('end', report).once('error', report);
    } else {
      report(err);
    }
  });
  return finished(dest, { readable: false, writable: true }, report);
}

// Some streams emit 'close' while chunks are still buffered.
function mayStillEnd(source) {
  const state = source._readableState;
  return state?.ended && !state.errored && !state.errorEmitted;
}

// Writes the values of an iterable, with backpressure, and then calls `report`.
async function pump(iterable, stream, report, ends) {
  let streamError = null;
  let outcome;
  const change = new PendingCallback();
  const changed = (err) => {
    if (err) streamError = err;
    change.fire();
  };
  // Resolves on the next 'drain', or when the stream is finished.
  const nextChange = () =>
    new Promise((resolve, reject) => {
      const settle = () => (streamError ? reject(streamError) : resolve());
      if (streamError) settle();
      else change.set(settle);
    });
  stream.on('drain', changed);
  const unwatch = finished(stream, { readable: false }, changed);
  try {
    if (stream.writableNeedDrain) await nextChange();
    for await (const chunk of iterable) { if (!stream.write(chunk)) await nextChange(); }
    if (ends) {
      stream.end();
      await nextChange();
    }
  } catch (err) {
    outcome = streamError === err ? err : aggregateTwoErrors(streamError, err);
  }
  unwatch();
  stream.off('drain', changed);
  report(outcome);
}

module.exports = { connect, pump };
