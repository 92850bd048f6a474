// emit() and process.nextTick with unusual receivers, names, arguments and results.
'use strict';
const EventEmitter = require('events');

const attempt = (what, action) => {
  try {
    console.log(what, action());
  } catch (err) {
    console.log(what, err.name, err.code);
  }
};

const e = new EventEmitter();
const symbol = Symbol('s');
e.on('a', function (...args) { console.log('a', this === e, args.length, ...args); });
e.on(symbol, (...args) => console.log('symbol', ...args));
e.on(5, () => console.log('five'));
attempt('no arguments', () => e.emit('a'));
attempt('several', () => e.emit('a', 1, undefined, null, 'x', 2, 3, 4, 5, 6, 7));
attempt('symbol', () => e.emit(symbol, 1));
attempt('number', () => e.emit(5));
attempt('text of a number', () => e.emit('5'));
attempt('none', () => e.emit('none'));
attempt('no name', () => e.emit());
attempt('toString', () => e.emit('toString'));
attempt('error', () => e.emit('error', new TypeError('x')));
attempt('error text', () => e.emit('error', 'text'));
attempt('detached', () => (0, e.emit)('a'));
attempt('other object', () => e.emit.call({ _events: { a: () => console.log('own table') } }, 'a'));
attempt('without a table', () => EventEmitter.prototype.emit.call({}, 'a'));
attempt('throws', () => new EventEmitter().on('x', () => { throw new RangeError('y'); }).emit('x'));
console.log(EventEmitter.prototype.emit.length, EventEmitter.prototype.emit.name);

// The listener changes the table.
const changing = new EventEmitter();
changing.on('x', function first() {
  console.log('first');
  changing.off('x', first).on('x', () => console.log('second'));
});
changing.emit('x');
changing.emit('x');
changing.once('y', () => console.log('once'));
console.log(changing.emit('y'), changing.emit('y'));
changing.on('z', () => changing.removeAllListeners()).on('z', () => console.log('still called'));
console.log(changing.emit('z'), changing.emit('z'));

// Results.
const capturing = new EventEmitter({ captureRejections: true });
capturing.on('error', (err) => console.log('captured', err.message));
capturing.on('one', async (text) => { throw new Error(text); });
capturing.emit('one', 'from one listener');
capturing.on('two', async () => { throw new Error('from the first of two'); }).on('two', () => 5);
capturing.emit('two');
capturing[Symbol.for('nodejs.rejection')] = (err, ...args) => console.log('rejection', err.message, ...args);
capturing.emit('one', 'with a method', 2);

// A subclass with its own emit.
class Loud extends EventEmitter {
  emit(name, ...args) {
    console.log('emit', name);
    return super.emit(name, ...args);
  }
}
new Loud().on('x', () => console.log('x')).emit('x');

// Ticks.
const { nextTick } = process;
nextTick((...args) => console.log('tick', ...args), 1, 2, 3);
nextTick(function () { console.log(this === undefined, arguments.length); });
attempt('invalid', () => nextTick(5));
attempt('nothing', () => process.nextTick());
console.log(nextTick.name, nextTick.length, nextTick(() => {}));
console.log(Object.getOwnPropertyNames(Object.getOwnPropertyDescriptor(process, '_exiting')).join());
setImmediate(() => {
  const { AsyncLocalStorage } = require('async_hooks');
  const storage = new AsyncLocalStorage();
  storage.run('store', () => nextTick((x) => console.log('tracked', storage.getStore(), x), 7));
});
process.on('exit', () => {
  console.log(process._exiting);
  nextTick(() => console.log('never'));
});
