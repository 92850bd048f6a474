// setEncoding joins characters that are split between chunks, also in buffered data.
const { Readable } = require('stream');
const bytes = Buffer.from('žluťoučký kůň 🐎 běží');
const source = new Readable({ read() {} });
source.push(bytes.subarray(0, 1));
source.setEncoding('utf8');
for (let i = 1; i < bytes.length; i += 3) source.push(bytes.subarray(i, i + 3));
source.push(bytes.subarray(0, 1));
source.push(null);
let text = '';
source.on('data', (chunk) => (text += chunk)).on('end', () => console.log(JSON.stringify(text), source.readableEncoding));
const hex = new Readable({ read() {}, encoding: 'hex' });
hex.push('hi');
hex.push('7a', 'hex');
hex.push(null);
hex.on('data', (chunk) => console.log(chunk));
