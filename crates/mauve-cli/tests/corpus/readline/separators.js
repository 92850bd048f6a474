// What separates lines, in files and on terminals.
'use strict';
const readline = require('readline');
const { PassThrough, Readable } = require('stream');

async function lines(parts) {
  const found = [];
  for await (const line of readline.createInterface({ input: Readable.from(parts), crlfDelay: Infinity })) found.push(line);
  console.log(JSON.stringify(found));
}

(async () => {
  await lines(['c\u2028d\n']);
  await lines([Buffer.from('c\u2028d\n')]);
  await lines(['a\n', 'c\u2029d']);
  await lines(['a\r', '\nb\rc\n\nlast']);
  const input = new PassThrough();
  const terminal = readline.createInterface({ input, terminal: true, output: new PassThrough() });
  terminal.on('line', (line) => console.log('terminal', JSON.stringify(line)));
  input.end('a\u2028b\n');
})();
