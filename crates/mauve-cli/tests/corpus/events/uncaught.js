// An error in a listener of an EventTarget is uncaught, and the other listeners run.
process.on('uncaughtException', (error, origin) => console.log('uncaught', error.message, origin));
const target = new EventTarget();
target.addEventListener('x', () => { throw new Error('first'); });
target.addEventListener('x', () => console.log('second still runs'));
target.addEventListener('x', async () => { throw new Error('async'); });
console.log(target.dispatchEvent(new Event('x')));
const { EventEmitter, once, on } = require('events');
const emitter = new EventEmitter();
emitter.on('boom', () => { throw new Error('from emit'); });
try { emitter.emit('boom'); } catch (error) { console.log('caught', error.message); }
const lonely = new EventEmitter();
setTimeout(() => emitter.emit('boom'), 50);
setTimeout(() => lonely.emit('error', new Error('unhandled event')), 120);
(async () => {
  const ac = new AbortController();
  setTimeout(() => ac.abort(new Error('reason')), 250);
  try { for await (const value of on(emitter, 'tick', { signal: ac.signal })) console.log(value); } catch (error) { console.log(error.name, error.code, error.cause.message); }
  await once(emitter, 'later', { signal: AbortSignal.timeout(5) }).catch((error) => console.log(error.name, error.cause.name));
  const iterator = on(emitter, 'n');
  emitter.emit('n', 1); emitter.emit('n', 2, 3);
  console.log(await iterator.next(), await iterator.next(), await iterator.return(), await iterator.next());
  const failing = on(emitter, 'n');
  emitter.emit('error', new Error('during'));
  await failing.next().catch((error) => console.log('iterator', error.message));
  console.log(emitter.eventNames());
  try { on(emitter, 'n', { signal: AbortSignal.abort() }); } catch (error) { console.log(error.name); }
  try { on({}, 'n'); } catch (error) { console.log(error.code, error.message); }
})();
setTimeout(() => {}, 600);
