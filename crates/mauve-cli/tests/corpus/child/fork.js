// fork: messages in both directions, and disconnect.
const { fork } = require('child_process');
const path = require('path');
const child = fork(path.join(__dirname, 'fixtures', 'fork-child.js'));
const messages = [{ a: [1, 'two', null] }, 'text', 42, true];
console.log(child.connected, typeof child.channel);
child.on('message', (message) => {
  console.log('parent got', message);
  if (messages.length > 0) child.send(messages.shift());
  else child.send('stop');
});
child.on('disconnect', () => console.log('parent: disconnected', child.connected));
child.on('exit', (code, signal) => console.log('exit', code, signal));
child.on('close', (code) => {
  console.log('close', code);
  child.on('error', (err) => console.log(err.code, err.message));
  console.log(child.send('late'));
});
