// How much a stream buffers before it asks its source to wait.

const { codes } = require('internal/errors');
const { validateInteger } = require('internal/validators');

let defaultBytes = 16 * 1024;
let defaultObjects = 16;

function getDefaultHighWaterMark(objectMode) {
  return objectMode ? defaultObjects : defaultBytes;
}

function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, 'value', 0);
  if (objectMode) defaultObjects = value;
  else defaultBytes = value;
}

// duplexKey is the option that speaks of one side of a duplex stream only.
function getHighWaterMark(state, options, duplexKey, isDuplex) {
  const mark = options?.highWaterMark ?? (isDuplex ? options?.[duplexKey] : null);
  if (mark == null) return getDefaultHighWaterMark(state.objectMode);
  if (!Number.isInteger(mark) || mark < 0) {
    const name = options?.highWaterMark != null ? 'options.highWaterMark' : `options.${duplexKey}`;
    throw new codes.ERR_INVALID_ARG_VALUE(name, mark);
  }
  return Math.floor(mark);
}

module.exports = { getDefaultHighWaterMark, getHighWaterMark, setDefaultHighWaterMark };
