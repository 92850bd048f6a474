// One, two and three listeners of an event: order, removal, limits.
'use strict';
const { EventEmitter } = require('events');

const log = (name) => (...args) => console.log(name, ...args);
const a = log('a');
const b = log('b');
const c = log('c');

const e = new EventEmitter();
e.on('x', a).on('x', b);
e.emit('x', 1);
console.log(e._events.x.length, e.listenerCount('x'), e.listenerCount('x', a));
e.off('x', a);
e.emit('x', 2);
console.log(typeof e._events.x);
e.off('x', b);
console.log(e._eventsCount, e.emit('x'));
e.on('x', a).on('x', a).off('x', a);
e.emit('x', 3);
e.prependListener('x', b);
e.emit('x', 4);
e.off('x', a).off('x', b);
console.log(e.eventNames());

e.once('y', a).on('y', b).once('y', c);
e.emit('y');
e.emit('y');
e.off('y', b).once('y', a).once('y', b).off('y', a);
e.emit('y', 'left');

// Removes a listener while the event is emitted.
function second() { console.log('second'); }
e.on('z', () => e.off('z', second)).on('z', second);
e.emit('z');
e.emit('z');

e.on('removeListener', (type) => console.log('removed', type));
e.on('q', a).on('q', b).off('q', a).off('q', b);
e.removeAllListeners('removeListener');
e.on('newListener', (type) => console.log('new', type));
e.on('q', a).on('q', b);
e.removeAllListeners('newListener');

process.on('warning', ({ name, count, type }) => console.log(name, count, type));
new EventEmitter().setMaxListeners(1).on('own limit', a).on('own limit', b).on('own limit', c);
EventEmitter.defaultMaxListeners = 1;
new EventEmitter().on('limit of 1', a).on('limit of 1', b);
EventEmitter.defaultMaxListeners = 0;
new EventEmitter().on('no limit', a).on('no limit', b);
EventEmitter.defaultMaxListeners = 10;

e.on('t', () => { throw new Error('first'); }).on('t', () => console.log('not called'));
try {
  e.emit('t');
} catch (err) {
  console.log(err.message);
}

const capturing = new EventEmitter({ captureRejections: true });
for (const name of ['r1', 'r2']) capturing.on('r', async () => { throw new Error(name); });
capturing.on('error', (err) => console.log('captured', err.message));
capturing.emit('r');

class Loud extends EventEmitter {
  emit(type, ...args) {
    console.log('emit', type);
    return super.emit(type, ...args);
  }
}
new Loud().on('h', a).on('h', b).emit('h', 9);
