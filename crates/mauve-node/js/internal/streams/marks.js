// High-water marks: how much a stream holds before its source is asked to wait.

const { codes } = require('internal/errors');
const { validateInteger } = require('internal/validators');

// What applies where a program says nothing; bytes are counted, or objects.
const usual = { bytes: 1 << 14, objects: 16 };
const unit = (objectMode) => (objectMode ? 'objects' : 'bytes');

function getDefaultHighWaterMark(objectMode) {
  return usual[unit(objectMode)];
}

function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, 'value', 0);
  usual[unit(objectMode)] = value;
}

// The mark for one side. `ownOption` is the option that speaks of this side alone; it counts only if
// the general one is missing, and is null where the stream has one side anyway.
function chosenMark(options, objectMode, ownOption) {
  for (const option of ['highWaterMark', ownOption]) {
    const mark = option === null ? undefined : options?.[option];
    if (mark === undefined || mark === null) continue;
    if (Number.isInteger(mark) && mark >= 0) return mark;
    throw new codes.ERR_INVALID_ARG_VALUE(`options.${option}`, mark);
  }
  return getDefaultHighWaterMark(objectMode);
}

module.exports = { chosenMark, getDefaultHighWaterMark, setDefaultHighWaterMark };
