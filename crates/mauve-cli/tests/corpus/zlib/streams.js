// Streams: events, chunks, flush, params, reset and close.
const zlib = require('zlib');
const { pipeline, Readable } = require('stream');
const text = Array.from({ length: 3000 }, (_, index) => `line ${index * 7919 % 1000}\n`).join('');

function log(name, stream) {
  for (const event of ['prefinish', 'finish', 'end', 'close', 'error', 'drain']) {
    stream.on(event, (...args) => console.log(name, event, ...args));
  }
  return stream;
}

function pipelines(next) {
  const chunks = [];
  const sizes = [];
  const unpack = zlib.createGunzip({ chunkSize: 1024 });
  unpack.on('data', (chunk) => {
    chunks.push(chunk);
    sizes.push(chunk.length);
  });
  const source = Readable.from(text.match(/[\s\S]{1,5000}/g));
  pipeline(source, log('gzip', zlib.createGzip()), log('gunzip', unpack), (error) => {
    console.log('pipeline', error, Buffer.concat(chunks).toString() === text, sizes.slice(0, 40).join());
    next();
  });
}

function slowReader(next) {
  const unpack = log('slow', zlib.createInflate({ chunkSize: 64, highWaterMark: 256 }));
  let size = 0;
  unpack.on('readable', () => {
    for (let chunk; (chunk = unpack.read(10)) !== null;) size += chunk.length;
  });
  unpack.on('end', () => console.log('read', size));
  unpack.on('close', next);
  unpack.end(zlib.deflateSync(text.slice(0, 1000)));
}

function flushes(next) {
  const pack = zlib.createDeflate();
  const unpack = zlib.createInflate();
  unpack.setEncoding('utf8');
  pack.on('data', (chunk) => unpack.write(chunk));
  unpack.on('data', (chunk) => console.log('got', JSON.stringify(chunk)));
  pack.write('first ');
  pack.flush(() => {
    console.log('flushed', pack.bytesWritten);
    pack.write('second');
    pack.params(9, zlib.constants.Z_DEFAULT_STRATEGY, () => {
      console.log('params');
      pack.flush(zlib.constants.Z_SYNC_FLUSH, () => {
        pack.end();
        pack.on('end', () => {
          pack.flush(() => console.log('flush after the end'));
          unpack.end();
          unpack.on('end', next);
        });
      });
    });
  });
}

function rest(next) {
  const unpack = log('rest', zlib.createInflate());
  unpack.on('data', (chunk) => console.log('rest', chunk.toString()));
  unpack.end(Buffer.concat([zlib.deflateSync('data'), Buffer.from('rest')]));
  unpack.on('close', next);
}

function closes(next) {
  const pack = log('close', zlib.createGzip());
  pack.write('abc', () => {
    console.log('write is called back');
    next();
  });
  pack.close(() => {
    console.log('closed', pack.destroyed, pack._closed);
    pack.close(() => console.log('closed again'));
    pack.write('x', (error) => console.log(error.code));
  });
}

function brotli(next) {
  const pack = log('brotli', zlib.createBrotliCompress());
  const unpack = log('unbrotli', zlib.createBrotliDecompress());
  let size = 0;
  pack.pipe(unpack).on('data', (chunk) => { size += chunk.length; }).on('close', () => {
    console.log(size === text.length);
    next();
  });
  pack.write(text.slice(0, 100));
  pack.flush(() => {
    console.log('flushed');
    pack.end(text.slice(100));
  });
}

function resets(next) {
  const unpack = zlib.createGunzip();
  unpack.on('data', (chunk) => console.log('reset', chunk.toString()));
  unpack.write(zlib.gzipSync('one').subarray(0, 12), () => {
    unpack.reset();
    unpack.end(zlib.gzipSync('two'));
    unpack.on('close', next);
  });
}

async function iterate() {
  let output = '';
  for await (const chunk of Readable.from([zlib.gzipSync('a'), zlib.gzipSync('b')]).pipe(zlib.createUnzip())) output += chunk;
  console.log(output);
}

const steps = [pipelines, slowReader, flushes, rest, closes, brotli, resets, iterate];
(function run() { steps.shift()?.(run); })();
