// High-water marks: how much a stream buffers before it applies backpressure.
const { codes } = require('internal/errors');
const { validateInteger } = require('internal/validators');

// Defaults, in bytes or in objects.
const defaults = { bytes: 1 << 16, objects: 16 };
const unit = (objectMode) => (objectMode ? 'objects' : 'bytes');
function getDefaultHighWaterMark(objectMode) { return defaults[unit(objectMode)]; }

function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, 'value', 0);
  defaults[unit(objectMode)] = value;
}

// The mark for one side. `sideOption` (`readableHighWaterMark`, `writableHighWaterMark`) applies if
// `highWaterMark` is missing; it is null for a stream that is not a duplex stream.
function getHighWaterMark(options, objectMode, sideOption) {
  if (options) {
    const mark = options.highWaterMark;
    if (mark !== undefined && mark !== null) return checkedMark(mark, 'highWaterMark');
    const sideMark = sideOption === null ? undefined : options[sideOption];
    if (sideMark !== undefined && sideMark !== null) return checkedMark(sideMark, sideOption);
  }
  return getDefaultHighWaterMark(objectMode);
}

function checkedMark(mark, option) {
  if (Number.isInteger(mark) && mark >= 0) return mark;
  throw new codes.ERR_INVALID_ARG_VALUE(`options.${option}`, mark);
}

module.exports = { getDefaultHighWaterMark, getHighWaterMark, setDefaultHighWaterMark };
