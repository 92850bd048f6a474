// The line editor: words, completion without columns, and back-pressure of the iterator.
const readline = require('readline');
const { PassThrough, Readable } = require('stream');

const rl = readline.createInterface({ terminal: true, input: new PassThrough(), escapeCodeTimeout: 50 });
console.log(rl.escapeCodeTimeout);
rl.write('foo bar.hop/zoo');
rl.write(null, { ctrl: true, name: 'a' });
for (const name of ['f', 'f', 'f', 'f', 'b', 'd']) {
  rl.write(null, { meta: true, name });
  console.log(name, rl.cursor, rl.line);
}
rl.write(null, { ctrl: true, name: 'right' });
rl.write(null, { meta: true, name: 'backspace' });
console.log(rl.cursor, rl.line);
rl.close();
try { readline.createInterface({ input: new PassThrough(), escapeCodeTimeout: '1' }); } catch (err) { console.log(err.code); }

const input = new PassThrough();
const output = new PassThrough();
let text = '';
output.on('data', (data) => { text += data; });
readline.createInterface({ terminal: true, input, output, completer: (line, cb) => cb(null, [['aab', 'aac'], line]) });
input.write('a\t');
input.write('\t');
setImmediate(() => console.log(text.includes('aab\r\naac')));

(async () => {
  const source = new Readable({ read() {} });
  source.push('line\n'.repeat(3000));
  const lines = readline.createInterface({ input: source, crlfDelay: Infinity });
  const iterator = lines[Symbol.asyncIterator]();
  const mark = iterator[Symbol.for('nodejs.watermarkData')];
  let count = 0;
  for await (const line of iterator) {
    if (++count === 1) console.log(line, source.isPaused(), mark.size > mark.high, mark.low, mark.isPaused);
    if (count === 3000) source.push(null);
  }
  console.log(count);
})();
