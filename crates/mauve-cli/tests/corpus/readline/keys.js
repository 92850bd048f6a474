// The keys of escape sequences.
const { PassThrough } = require('stream');
const readline = require('readline');

const input = new PassThrough();
readline.emitKeypressEvents(input);
input.on('keypress', (text, key) => console.log(JSON.stringify([text, key])));
const SEQUENCES = [
  'io.JS 1é\u{1f600}', '\n\r\t\x1b\n\x1b\r\x1b\t', '\b\x7f\x1b\b\x1b\x1b  \x1b ', '\x1b\x1b\x1b', '\x1b]', '\x01\x0b\x10',
  '\x1ba\x1bA\x1b1', '\x1b[2P\x1b[8S\x1bOP\x1bOS', '\x1b[11~\x1b[24~', '\x1b[[A\x1b[[E\x1b[[5~', '\x1b[A\x1b[E\x1b[F\x1bOH',
  '\x1bO2A\x1b[2A', '\x1b[1~\x1b[8~\x1b[2$\x1b[5^', '\x1b[Z', '\x1b[20;5~\x1b[6;5^\x1b[1;5H\x1b[5H', '\x1b[31ma\x1b[39ma',
  '\x1b[a\x1b[e\x1bOa\x1bOe', '\x1b[200~x\x1b[201~', '\x1b\x1b[A', '\x1b[1;3D',
];
for (const sequence of SEQUENCES) input.write(sequence);
// In pieces.
for (const part of '\x1b[D\x1b[1;5C') input.write(part);
