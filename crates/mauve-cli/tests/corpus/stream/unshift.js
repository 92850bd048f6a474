// unshift puts a chunk in front, also in the middle of reading; after the end it is an error.
const { Readable } = require('stream');
const source = new Readable({ read() {} });
source.push('body');
source.push(null);
source.once('readable', () => {
  const chunk = source.read();
  console.log('got', String(chunk));
  source.unshift(chunk.subarray(2));
  source.unshift('<<');
  console.log('rest', String(source.read()));
  source.read();
});
source.on('end', () => {
  console.log('end');
  source.unshift('late');
});
source.on('error', (err) => console.log(err.code, err.message));
source.on('close', () => console.log('close'));
