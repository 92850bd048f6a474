// The callback of send() comes before later ticks.
const { fork } = require('child_process');

if (process.argv[2] === 'child') {
  process.on('message', (message) => {
    const order = [];
    process.send(message, () => order.push('callback'));
    process.nextTick(() => order.push('tick'));
    setImmediate(() => process.send(order, () => process.disconnect()));
  });
} else {
  const child = fork(__filename, ['child']);
  child.send('question', (err) => console.log('callback', err));
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
  child.on('message', (message) => console.log(message));
  child.on('exit', (code) => console.log('exit', code));
}
