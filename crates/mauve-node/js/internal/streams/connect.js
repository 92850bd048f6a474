// The two connections a pipeline is made of: a readable stream into a stream, and an iterable into one.

const { codes } = require('internal/errors');
const { finished } = require('internal/streams/finished');
const { NextTime } = require('internal/streams/once');
const { joinErrors, sideOver } = require('internal/streams/condition');

// Calls `report` once for each of the two, with or without an error. Gives back how to stop watching
// the destination.
function connect(source, dest, report, ends) {
  let hasEnded = false;
  dest.on('close', () => {
    if (!hasEnded) report(new codes.ERR_STREAM_PREMATURE_CLOSE());
  });
  source.pipe(dest, { end: false });
  if (ends) {
    const end = () => {
      hasEnded = true;
      dest.end();
    };
    if (sideOver(source, 'readable')) process.nextTick(end);
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

// Some close while their last chunks are still to be read.
function mayStillEnd(source) {
  const state = source._readableState;
  return state?.ended && !state.errored && !state.errorEmitted;
}

// Writes what the iterable gives, as fast as the stream takes it; then calls `report` with the outcome.
async function pump(iterable, stream, report, ends) {
  let failure = null;
  let outcome;
  const change = new NextTime();
  const changed = (err) => {
    if (err) failure = err;
    change.happen();
  };
  // Resolved by the next 'drain', or by the end of the stream.
  const nextChange = () =>
    new Promise((resolve, reject) => {
      const settle = () => (failure ? reject(failure) : resolve());
      if (failure) settle();
      else change.call(settle);
    });
  stream.on('drain', changed);
  const unwatch = finished(stream, { readable: false }, changed);
  try {
    if (stream.writableNeedDrain) await nextChange();
    for await (const chunk of iterable) {
      if (!stream.write(chunk)) await nextChange();
    }
    if (ends) {
      stream.end();
      await nextChange();
    }
  } catch (err) {
    outcome = failure === err ? err : joinErrors(failure, err);
  }
  unwatch();
  stream.off('drain', changed);
  report(outcome);
}

module.exports = { connect, pump };
