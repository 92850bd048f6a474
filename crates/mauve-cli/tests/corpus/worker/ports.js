// MessagePort: order of messages, close, transfer, references, and receiveMessageOnPort.
const { MessageChannel, MessagePort, receiveMessageOnPort } = require('worker_threads');

function order(next) {
  const { port1, port2 } = new MessageChannel();
  port2.on('message', (message) => {
    console.log('message', message);
    process.nextTick(() => console.log('tick', message));
    Promise.resolve().then(() => console.log('microtask', message));
    if (message === 3) port1.close(() => console.log('closed by port1'));
  });
  port2.on('close', () => {
    console.log('close of port2');
    next();
  });
  for (const message of [1, 2, 3]) port1.postMessage(message);
  console.log('posted', port1.hasRef(), port2.hasRef());
  setImmediate(() => console.log('immediate'));
}

function values(next) {
  const { port1, port2 } = new MessageChannel();
  const error = Object.assign(new TypeError('bad', { cause: 1 }), { code: 'IGNORED' });
  const cycle = { name: 'cycle' };
  cycle.self = cycle;
  const list = [undefined, null, 1n, 'é€', new Date(0), /a/g, new Map([[1, { a: 2 }]]), new Set(['x']), Buffer.from('abc'), cycle, [1, , 3]];
  let count = 0;
  port2.on('message', (value) => {
    console.log(value instanceof Error ? [value.name, value.message, value.cause, value.code] : value);
    if (++count === list.length + 1) {
      port2.close();
      next();
    }
  });
  for (const value of [...list, error]) port1.postMessage(value);
}

function transfer(next) {
  const { port1, port2 } = new MessageChannel();
  const inner = new MessageChannel();
  const buffer = new Uint8Array([1, 2, 3]).buffer;
  port2.on('message', ({ port, bytes }) => {
    console.log(port instanceof MessagePort, bytes);
    port.on('message', (message) => {
      console.log('through the transferred port', message);
      port.close();
      port2.close();
      next();
    });
  });
  inner.port1.postMessage('before');
  port1.postMessage({ port: inner.port2, bytes: new Uint8Array(buffer, 1) }, [inner.port2, buffer]);
  console.log(buffer.byteLength, buffer.detached);
}

function receives(next) {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage({ hello: 'world' });
  port1.postMessage(undefined);
  console.log(receiveMessageOnPort(port2), receiveMessageOnPort(port2), receiveMessageOnPort(port2));
  port1.onmessage = (event) => {
    console.log(event.data, event.target === port1, event.type, event.constructor.name);
    port1.close();
    next();
  };
  console.log(port1.hasRef());
  port2.postMessage('event');
}

function listeners(next) {
  const { port1, port2 } = new MessageChannel();
  const first = (message) => console.log('first', message);
  port1.on('message', first);
  port1.once('message', (message) => {
    console.log('once', message, port1.listenerCount('message'));
    port1.off('message', first);
    console.log(port1.hasRef());
    port1.on('message', (again) => {
      console.log('again', again);
      port1.close();
      next();
    });
  });
  port2.postMessage('a');
  port2.postMessage('b');
}

function errors(next) {
  const { port1, port2 } = new MessageChannel();
  const attempts = [() => new MessagePort(), () => port1.postMessage(), () => port1.postMessage(() => {}),
    () => port1.postMessage(port2), () => port1.postMessage(1, [port1]), () => port1.postMessage(1, [5]),
    () => port1.postMessage(new WeakMap()), () => receiveMessageOnPort({}), () => port1.postMessage(1, { transfer: 5 })];
  for (const attempt of attempts) {
    try {
      console.log(attempt());
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  console.log(Object.getPrototypeOf(MessagePort.prototype).constructor.name, port1 instanceof EventTarget);
  const moved = structuredClone({ port2 }, { transfer: [port2] }).port2;
  moved.on('message', (message) => {
    console.log('cloned', message);
    moved.close();
    next();
  });
  port1.postMessage('x');
}

const steps = [order, values, transfer, receives, listeners, errors];
(function run() { steps.shift()?.(run); })();
