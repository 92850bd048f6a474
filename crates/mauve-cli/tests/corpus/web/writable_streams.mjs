// WritableStream and TransformStream: back-pressure, errors, aborts, pipes.
const log = (...args) => console.log(...args);
const fails = async (label, work) => {
  try { log(label, await work()); } catch (error) { log(label, error?.name, error?.code, error?.message ?? error); }
};
const sink = (name, more = {}) => ({
  start(c) { log(name, 'start', c.signal.aborted); },
  async write(chunk) { await null; log(name, 'write', chunk); },
  close() { log(name, 'close'); },
  abort(reason) { log(name, 'abort', reason?.message ?? reason); },
  ...more,
});
const stream = new WritableStream(sink('a'), { highWaterMark: 2 });
log(stream);
const writer = stream.getWriter();
log(writer.desiredSize, stream.locked);
const writes = [1, 2, 3].map((n) => writer.write(n).then(() => log('written', n)));
log(writer.desiredSize);
await writer.ready;
log('ready', writer.desiredSize);
await Promise.all(writes);
await writer.close();
await writer.closed;
await fails('after close', () => writer.write(4));
writer.releaseLock();
await fails('released', () => writer.write(5));

const aborted = new WritableStream(sink('b', { write: () => new Promise((resolve) => { setTimeout(resolve, 5); }) }));
const abortWriter = aborted.getWriter();
const pending = abortWriter.write('slow');
const queued = abortWriter.write('queued');
queued.catch((error) => log('queued', error));
abortWriter.closed.catch((error) => log('closed', error));
pending.then((value) => log('pending', value), (error) => log('pending fails', error));
await fails('abort', () => abortWriter.abort('enough'));
await fails('desired', () => abortWriter.desiredSize);
const broken = new WritableStream(sink('c', { write() { throw new RangeError('write'); } })).getWriter();
await fails('broken', () => broken.write(1));
await fails('broken again', () => broken.write(2));
await fails('broken closed', () => broken.closed);
await fails('close fails', () => new WritableStream({ close: () => Promise.reject(new Error('close')) }).close());
await fails('start throws', () => new WritableStream({ start() { throw new Error('start'); } }));

const upper = () => new TransformStream({ transform: (chunk, c) => c.enqueue(chunk.toUpperCase()), flush: (c) => c.enqueue('END') });
log(upper());
log(await Array.fromAsync(ReadableStream.from(['a', 'b']).pipeThrough(upper())));
await ReadableStream.from([1, 2, 3]).pipeTo(new WritableStream(sink('d')));
await ReadableStream.from([1]).pipeTo(new WritableStream(sink('e')), { preventClose: true });
await fails('source fails', () => new ReadableStream({ start(c) { c.error(new Error('source')); } }).pipeTo(new WritableStream(sink('f'))));
await fails('target fails', () => new ReadableStream({ pull(c) { c.enqueue(1); }, cancel(reason) { log('source cancelled', reason.message); } })
  .pipeTo(new WritableStream(sink('g', { write() { throw new Error('target'); } }))));
const controller = new AbortController();
setTimeout(() => controller.abort(new Error('signal')), 5);
await fails('signal', () => new ReadableStream({ cancel(reason) { log('cancelled by signal', reason.message); } }).pipeTo(new WritableStream(sink('h')), { signal: controller.signal }));
await fails('transform fails', () => Array.fromAsync(ReadableStream.from([1]).pipeThrough(new TransformStream({ transform() { throw new TypeError('transform'); } }))));
const terminated = new TransformStream({ transform(chunk, c) { c.enqueue(chunk); c.terminate(); } });
log(await Array.fromAsync(ReadableStream.from([1, 2]).pipeThrough(terminated)));
await fails('locked', () => { const s = new WritableStream(); s.getWriter(); return ReadableStream.from([]).pipeTo(s); });

const text = ReadableStream.from(['grüße ', '\ud83d', '\ude00']);
const encoded = await Array.fromAsync(text.pipeThrough(new TextEncoderStream()));
log(Buffer.concat(encoded).toString());
log((await Array.fromAsync(ReadableStream.from([Buffer.from([0xc3]), Buffer.from([0xbc, 0x61])]).pipeThrough(new TextDecoderStream()))).join('|'));
for (const format of ['gzip', 'deflate', 'deflate-raw']) {
  const chunks = ReadableStream.from([Buffer.from('hello '), Buffer.alloc(200000, 'x')]).pipeThrough(new CompressionStream(format)).pipeThrough(new DecompressionStream(format));
  log(format, Buffer.concat(await Array.fromAsync(chunks)).length);
}
await fails('format', () => new CompressionStream('zip'));
