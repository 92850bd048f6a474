// Parses terminal input into 'keypress' events.
const { parseKeys } = binding('util');
const kIsAttached = Symbol('kIsAttached');
const ESCAPE_TIMEOUT = 500;

// Makes a stream emit 'keypress' while it has listeners for it.
function emitKeypressEvents(stream, { escapeCodeTimeout = ESCAPE_TIMEOUT } = {}) {
  if (stream[kIsAttached]) return;
  stream[kIsAttached] = true;
  const { StringDecoder } = require('string_decoder');
  const decoder = new StringDecoder('utf8');
  let incomplete = '';
  let timer;
  function emitKeys(text, isEnd) {
    clearTimeout(timer);
    const [keys, rest] = parseKeys(incomplete + text, isEnd);
    incomplete = rest;
    // An escape character alone is a key, unless more follows soon.
    if (rest === '\x1b') timer = setTimeout(emitKeys, escapeCodeTimeout, '', true);
    for (const key of keys) stream.emit('keypress', key.sequence.startsWith('\x1b') ? undefined : key.sequence, key);
  }
  function onData(chunk) {
    if (stream.listenerCount('keypress') === 0) {
      stream.removeListener('data', onData);
      stream.on('newListener', onListener);
    } else {
      emitKeys(decoder.write(chunk), false);
    }
  }
  function onListener(event) {
    if (event !== 'keypress') return;
    stream.on('data', onData);
    stream.removeListener('newListener', onListener);
  }
  if (stream.listenerCount('keypress') > 0) stream.on('data', onData);
  else stream.on('newListener', onListener);
}

function isPrintable(text) { return text >= ' ' && text !== '\x7f'; }

module.exports = { emitKeypressEvents, isPrintable };
