// Hashes as streams.
const crypto = require('crypto');
const { Readable, pipeline } = require('stream');

const hash = crypto.createHash('sha256');
hash.on('readable', () => {
  const data = hash.read();
  if (data) console.log('readable', data.toString('hex'));
});
hash.on('end', () => console.log('end'));
hash.on('finish', () => console.log('finish'));
hash.write('some ');
hash.write('6461', 'hex');
hash.end(Buffer.from('ta'));

Readable.from(['a', 'b', 'c']).pipe(crypto.createHash('md5')).setEncoding('hex').on('data', (text) => console.log('piped', text));
pipeline(Readable.from([Buffer.from('x'), 'y']), crypto.createHmac('sha1', 'key'), async function (source) {
  for await (const chunk of source) console.log('pipeline', chunk.toString('base64'));
}, (err) => console.log('done', err));

const plain = crypto.createHash('sha1', { highWaterMark: 3 });
console.log(Object.keys(plain), plain.writableHighWaterMark, plain.readableHighWaterMark);
plain.end('text', () => {
  console.log('flushed', plain.digest('hex'), plain.read().toString('hex'));
  plain.write('more', (err) => console.log('late', err.code));
  plain.on('error', (err) => console.log('error', err.code));
});
