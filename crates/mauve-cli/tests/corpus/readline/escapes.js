// Terminal escape sequences and keypress events.
const readline = require('readline');
const { PassThrough } = require('stream');
const out = new PassThrough();
readline.cursorTo(out, 3);
readline.cursorTo(out, 3, 5);
readline.moveCursor(out, -2, 1);
readline.clearLine(out, 0);
readline.clearLine(out, -1);
readline.clearScreenDown(out);
console.log(JSON.stringify(out.read().toString()));
const input = new PassThrough();
readline.emitKeypressEvents(input);
input.on('keypress', (text, key) => console.log(JSON.stringify(text), key.name, key.ctrl, key.meta, key.shift));
input.write('aB1 ');
input.write('\x1b[A\x1b[1;5C\x03\r\x7f');
