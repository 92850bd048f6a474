// ReadableStream: sources, readers, back-pressure, cancellation, tee, iteration and errors.
const log = (...args) => console.log(...args);
const fails = async (label, work) => {
  try { log(label, await work()); } catch (error) { log(label, error?.name, error?.code, error?.message ?? error); }
};
const stream = new ReadableStream({
  start(controller) { log('start', controller.desiredSize); },
  pull(controller) { log('pull', controller.desiredSize); controller.enqueue(this.count = (this.count ?? 0) + 1); if (this.count === 4) controller.close(); },
  cancel(reason) { log('cancelled', reason); },
}, { highWaterMark: 2 });
log(stream, stream.locked);
const reader = stream.getReader();
log(await reader.read(), stream.locked);
await fails('second reader', () => stream.getReader());
await fails('cancel locked', () => stream.cancel());
log(await reader.read(), await reader.read(), await reader.read(), await reader.read());
log(await reader.closed);
reader.releaseLock();
await fails('released', () => reader.read());
await fails('released closed', () => reader.closed);

const cancelled = new ReadableStream({ pull(c) { c.enqueue('x'); }, cancel(reason) { log('cancel', reason); return 'ignored'; } });
log(await cancelled.cancel('why'));
log(await cancelled.getReader().read());
const broken = new ReadableStream({ pull() { throw new RangeError('pull'); } });
await fails('broken', () => broken.getReader().read());
const failed = new ReadableStream({ start(c) { c.enqueue(1); c.error(new TypeError('later')); } });
await fails('failed', () => failed.getReader().read());
await fails('start throws', () => new ReadableStream({ start() { throw new Error('start'); } }));
await fails('start rejects', () => new ReadableStream({ start: () => Promise.reject(new Error('start')) }).getReader().read());

const [left, right] = ReadableStream.from(['a', 'b', 'c']).tee();
log(await Array.fromAsync(left), await Array.fromAsync(right));
const twice = new ReadableStream({ cancel: (reasons) => log('both', reasons) });
const [one, two] = twice.tee();
await Promise.all([one.cancel(1), two.cancel(2)]);
for await (const chunk of new ReadableStream({ pull(c) { c.enqueue('once'); }, cancel: () => log('iteration ended') })) { log(chunk); break; }
const kept = ReadableStream.from([1, 2, 3]);
for await (const chunk of kept.values({ preventCancel: true })) { log(chunk); break; }
log(kept.locked, await Array.fromAsync(kept));
await fails('from', () => ReadableStream.from(5));
log(await Array.fromAsync(ReadableStream.from((async function* () { yield 1; yield Promise.resolve(2); })())));

const sized = new ReadableStream({ start(c) { c.enqueue('abc'); log(c.desiredSize); c.enqueue('de'); log(c.desiredSize); } }, { highWaterMark: 4, size: (chunk) => chunk.length });
log(sized);
await fails('bad size', () => new ReadableStream({ start(c) { c.enqueue(1); } }, { size: () => -1 }));
await fails('bad mark', () => new ReadableStream({}, { highWaterMark: -1 }));
await fails('closed twice', () => new ReadableStream({ start(c) { c.close(); c.close(); } }));
const bytes = new ReadableStream({ type: 'bytes', pull(c) { const chunk = new Uint8Array([1, 2, 3]); c.enqueue(chunk); log(chunk.byteLength); c.close(); } });
log(bytes, await Array.fromAsync(bytes));
await fails('not bytes', () => new ReadableStream({ type: 'bytes', start(c) { c.enqueue('text'); } }));
await fails('wrong this', () => ReadableStream.prototype.cancel.call({}));
await fails('controller', () => new ReadableStreamDefaultController());
log(Object.prototype.toString.call(stream), Object.keys(ReadableStream.prototype), new CountQueuingStrategy({ highWaterMark: 3 }).highWaterMark, new ByteLengthQueuingStrategy({ highWaterMark: 1 }).size(new Uint8Array(7)));
const order = [];
const ordered = new ReadableStream({ start: (c) => { c.enqueue(1); c.close(); } }).getReader();
ordered.closed.then(() => order.push('closed'));
ordered.read().then(() => order.push('first'));
ordered.read().then(() => order.push('end'));
Promise.resolve().then(() => order.push('one')).then(() => order.push('two'));
await new Promise((resolve) => { setTimeout(resolve, 1); });
log(order);
