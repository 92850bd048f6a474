// The buffer of a readable stream: an array with a moving start, holding Buffers, strings or objects.

const { Buffer } = require('buffer');

// So many given chunks are kept as a gap at the front before the array is moved.
const MAX_GAP = 1024;

function add(state, chunk, toFront) {
  if (!toFront) {
    state.buffer.push(chunk);
  } else if (state.bufferIndex > 0) {
    state.buffer[--state.bufferIndex] = chunk;
  } else {
    state.buffer.unshift(chunk);
  }
}

function shift(state) {
  const chunk = state.buffer[state.bufferIndex];
  state.buffer[state.bufferIndex++] = null;
  compact(state);
  return chunk;
}

function compact(state) {
  if (state.bufferIndex === state.buffer.length) {
    state.buffer.length = 0;
    state.bufferIndex = 0;
  } else if (state.bufferIndex > MAX_GAP) {
    state.buffer.splice(0, state.bufferIndex);
    state.bufferIndex = 0;
  }
}

// Takes n bytes, characters or (in object mode) one object off the front.
function take(n, state) {
  if (state.length === 0) return null;
  if (state.objectMode) return shift(state);
  if (!n || n >= state.length) {
    const parts = state.bufferIndex === 0 ? state.buffer : state.buffer.slice(state.bufferIndex);
    const all = state.decoder ? parts.join('') : parts.length === 1 ? parts[0] : Buffer.concat(parts, state.length);
    state.buffer = [];
    state.bufferIndex = 0;
    return all;
  }
  const first = state.buffer[state.bufferIndex];
  if (n < first.length) {
    state.buffer[state.bufferIndex] = first.slice(n);
    return first.slice(0, n);
  }
  if (n === first.length) return shift(state);
  return state.decoder ? takeText(n, state) : takeBytes(n, state);
}

function takeText(n, state) {
  let text = '';
  while (n > 0) {
    const part = state.buffer[state.bufferIndex];
    if (n < part.length) {
      state.buffer[state.bufferIndex] = part.slice(n);
      return text + part.slice(0, n);
    }
    text += shift(state);
    n -= part.length;
  }
  return text;
}

function takeBytes(n, state) {
  const bytes = Buffer.allocUnsafe(n);
  let at = 0;
  while (at < n) {
    const part = state.buffer[state.bufferIndex];
    const missing = n - at;
    if (missing < part.length) {
      bytes.set(part.subarray(0, missing), at);
      state.buffer[state.bufferIndex] = part.slice(missing);
      break;
    }
    bytes.set(part, at);
    at += part.length;
    shift(state);
  }
  return bytes;
}

module.exports = { add, take };
