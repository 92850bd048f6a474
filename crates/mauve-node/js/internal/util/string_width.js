// Display width: how many columns a string takes on a terminal.
const native = binding('util');

// The grammar that Node strips: control sequences (CSI), and strings that a
// BEL or ST ends (OSC), each after one or more introducing characters.
const INTRODUCER = '[\\x1b\\x9b][[\\]()#;?]*';
const PARAMETER = '[-a-zA-Z\\d/#&.:=?%@~_]';
const STRING_END = '(?:\\x07|\\x1b\\\\|\\x9c)';
const STRING = `(?:[a-zA-Z\\d]+(?:;${PARAMETER}*)*|(?:;${PARAMETER}+)*)${STRING_END}`;
const CONTROL = '(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]';
const ESCAPE_SEQUENCES = new RegExp(`${INTRODUCER}(?:${STRING}|${CONTROL})`, 'g');

function stripVTControlCharacters(text) { return text.replace(ESCAPE_SEQUENCES, ''); }

function getStringWidth(text, removeControls = true) {
  if (removeControls) text = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return native.stringWidth(text.normalize('NFC').toWellFormed());
}

module.exports = { getStringWidth, stripVTControlCharacters };
