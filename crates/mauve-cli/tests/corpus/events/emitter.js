// EventEmitter: order, once, prepend, meta events, errors, warnings. The tables of listeners are not compared.
const EventEmitter = require('events');
const log = (...args) => console.log(...args);
const attempt = (action) => {
  try {
    log('=>', action());
  } catch (error) {
    log('threw', error.name, error.code, error.message);
  }
};
const e = new EventEmitter();
log(e, e instanceof EventEmitter, EventEmitter.EventEmitter === EventEmitter, EventEmitter.name, EventEmitter.length);
e.on('newListener', (name, fn) => log('new', String(name), fn.name));
e.on('removeListener', (name, fn) => log('removed', String(name), fn.name));
function a(...args) { log('a', this === e, args); }
function b() { log('b'); e.off('x', a); e.on('x', c); }
function c() { log('c'); }
e.on('x', a).once('x', b).prependListener('x', c).prependOnceListener('x', function first() { log('first'); });
log(e.listeners('x').map((f) => f.name), e.rawListeners('x').map((f) => f.name), e.listenerCount('x'), e.eventNames());
log(e.emit('x', 1, 2), e.emit('x'), e.emit('nothing'));
log(e.listeners('x'), e._eventsCount, e.listenerCount('x', c));
const s = Symbol('sym');
e.on(s, () => log('symbol'));
e.emit(s);
log(e.eventNames(), Object.keys(e));
e.removeAllListeners('x');
e.removeAllListeners();
log(e.eventNames(), e.getMaxListeners(), EventEmitter.defaultMaxListeners);
attempt(() => e.emit('error', new RangeError('range')));
attempt(() => e.emit('error', 'text'));
attempt(() => e.emit('error', { a: 1 }));
attempt(() => e.emit('error'));
attempt(() => e.on('x', 'no'));
attempt(() => e.once('x'));
attempt(() => e.off('x', null));
attempt(() => e.setMaxListeners('5'));
attempt(() => e.setMaxListeners(-5));
attempt(() => { EventEmitter.defaultMaxListeners = NaN; });
e.on(EventEmitter.errorMonitor, (error) => log('monitor', error.message));
attempt(() => e.emit('error', new Error('monitored')));
e.on('error', (error) => log('handled', error.message));
attempt(() => e.emit('error', new Error('now')));
process.on('warning', (w) => log(w.name, w.message, w.count, w.type, w.emitter === leaky));
const leaky = new EventEmitter();
for (let i = 0; i < 13; i++) leaky.on('drip', () => {});
class Sub extends EventEmitter {
  constructor() { super({ captureRejections: true }); this.own = 1; }
}
const sub = new Sub();
log(sub);
sub.on('go', async () => { throw new Error('rejected'); });
sub.on('error', (error) => log('captured', error.message));
sub.emit('go');
const other = new EventEmitter({ captureRejections: true });
other[Symbol.for('nodejs.rejection')] = (error, name, ...args) => log('custom', error.message, name, args);
other.on('go', async (x) => { throw new Error(`got ${x}`); });
other.emit('go', 42);
function Old() { EventEmitter.call(this); }
require('util').inherits(Old, EventEmitter);
const old = new Old();
old.on('x', () => log('old style'));
log(old.emit('x'), EventEmitter.listenerCount(old, 'x'), EventEmitter.getEventListeners(old, 'x').length);
(async () => {
  const source = new EventEmitter();
  setTimeout(() => source.emit('ready', 1, 2), 1);
  log(await EventEmitter.once(source, 'ready'));
  setTimeout(() => source.emit('error', new Error('bad')), 1);
  await EventEmitter.once(source, 'ready').catch((error) => log('once', error.message));
  log(source.eventNames());
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 1);
  await EventEmitter.once(source, 'ready', { signal: controller.signal }).catch((error) => log(error.name, error.code, error.message, error.cause.name));
  setTimeout(() => { for (const n of [1, 2, 3]) source.emit('n', n); source.emit('end'); }, 1);
  for await (const [n] of EventEmitter.on(source, 'n', { close: ['end'] })) log('iterated', n);
  log(source.eventNames());
  const target = new EventTarget();
  setTimeout(() => target.dispatchEvent(new Event('t')), 1);
  log((await EventEmitter.once(target, 't'))[0].type);
  await EventEmitter.once({}, 'x').catch((error) => log(error.message));
})();
