// Parses terminal input into 'keypress' events.

// Key names by the final character of an escape sequence.
const FINALS = {
  A: 'up', B: 'down', C: 'right', D: 'left', F: 'end', H: 'home', P: 'f1', Q: 'f2', R: 'f3', S: 'f4', Z: 'tab',
};
// Key names by the first parameter of an escape sequence.
const NUMBERS = {
  1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end',
  11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6', 18: 'f7', 19: 'f8', 20: 'f9', 21: 'f10',
  23: 'f11', 24: 'f12',
};

// Splits text into [sequence, key] pairs. An incomplete escape sequence is kept for the next call.
class KeyParser {
  #incomplete = '';

  *parse(text) {
    text = this.#incomplete + text;
    this.#incomplete = '';
    while (text.length > 0) {
      const escapeSequence = /^\x1b(?:\x1b?[[O][0-9;]*[~^$A-Za-z]|\x1b[^[O]|[^[O]|$)?/.exec(text)?.[0];
      const sequence = escapeSequence || String.fromCodePoint(text.codePointAt(0));
      if (sequence === '\x1b' && text.length > 1) {
        this.#incomplete = text;
        return;
      }
      text = text.slice(sequence.length);
      yield [sequence, keyOf(sequence)];
    }
  }
}

function keyOf(sequence) {
  const key = { sequence, name: undefined, ctrl: false, meta: false, shift: false };
  const match = /^\x1b?\x1b([[O])([0-9;]*)([~^$A-Za-z])$/.exec(sequence);
  if (match) {
    let [first, modifier = '1'] = match[2].split(';');
    // Without a second number, that of a sequence that ends with a letter is the modifier.
    if (first > 1 && modifier === '1' && /[A-Za-z]/.test(match[3])) [first, modifier] = ['1', first];
    const bits = Number(modifier) - 1;
    key.shift = Boolean(bits & 1) || match[3] === 'Z';
    key.meta = Boolean(bits & 2) || sequence.startsWith('\x1b\x1b');
    key.ctrl = Boolean(bits & 4) || match[3] === '^';
    key.code = `${match[1]}${first === '' || match[3] !== '~' ? '' : first}${match[3]}`;
    key.name = FINALS[match[3]] ?? NUMBERS[first] ?? 'undefined';
    return key;
  }
  let char = sequence;
  if (char.length > 1 && char.startsWith('\x1b')) {
    key.meta = true;
    char = char.slice(char.length > 2 && char[1] === '\x1b' ? 2 : 1);
  }
  if (char === '\r') key.name = 'return';
  else if (char === '\n') key.name = 'enter';
  else if (char === '\t') key.name = 'tab';
  else if (char === '\b' || char === '\x7f') key.name = 'backspace';
  else if (char === '\x1b') key.name = 'escape';
  else if (char === ' ') key.name = 'space';
  else if (char <= '\x1a') {
    key.name = String.fromCharCode(char.charCodeAt(0) + 96);
    key.ctrl = true;
  } else if (/^[0-9A-Za-z]$/.test(char)) {
    key.name = char.toLowerCase();
    key.shift = /^[A-Z]$/.test(char);
  }
  return key;
}

const kParser = Symbol('kParser');

// Makes a stream emit 'keypress' while it has listeners for it.
function emitKeypressEvents(stream) {
  if (stream[kParser]) return;
  const { StringDecoder } = require('string_decoder');
  const decoder = new StringDecoder('utf8');
  const parser = (stream[kParser] = new KeyParser());
  function onData(chunk) {
    if (stream.listenerCount('keypress') === 0) {
      stream.removeListener('data', onData);
      stream.on('newListener', onListener);
      return;
    }
    for (const [sequence, key] of parser.parse(decoder.write(chunk))) {
      const isEscape = sequence.length > 1 && sequence.startsWith('\x1b');
      stream.emit('keypress', isEscape ? undefined : sequence, key);
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

function isPrintable(text) {
  return text >= ' ' && text !== '\x7f';
}

module.exports = { emitKeypressEvents, isPrintable };
