// cursorTo, moveCursor, clearLine and clearScreenDown: writes escape sequences to a terminal.
const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');

function send(stream, text, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream != null && text !== '') return stream.write(text, callback);
  if (callback) process.nextTick(callback, null);
  return true;
}

function cursorTo(stream, x, y, callback) {
  if (typeof y === 'function') [y, callback] = [undefined, y];
  if (callback !== undefined) validateFunction(callback, 'callback');
  for (const [name, value] of Object.entries({ x, y })) {
    if (Number.isNaN(value)) throw new codes.ERR_INVALID_ARG_VALUE(name, value);
  }
  if (stream == null || (typeof x !== 'number' && typeof y !== 'number')) return send(null, '', callback);
  if (typeof x !== 'number') throw new codes.ERR_INVALID_CURSOR_POS();
  return send(stream, typeof y !== 'number' ? `\x1b[${x + 1}G` : `\x1b[${y + 1};${x + 1}H`, callback);
}

function moveCursor(stream, dx, dy, callback) {
  let text = '';
  if (dx < 0) text += `\x1b[${-dx}D`;
  else if (dx > 0) text += `\x1b[${dx}C`;
  if (dy < 0) text += `\x1b[${-dy}A`;
  else if (dy > 0) text += `\x1b[${dy}B`;
  return send(stream, text, callback);
}

// `direction` is -1 for left of the cursor, 1 for right of it, 0 for the whole line.
function clearLine(stream, direction, callback) {
  return send(stream, direction < 0 ? '\x1b[1K' : direction > 0 ? '\x1b[0K' : '\x1b[2K', callback);
}

function clearScreenDown(stream, callback) {
  return send(stream, '\x1b[0J', callback);
}

module.exports = { clearLine, clearScreenDown, cursorTo, moveCursor };
