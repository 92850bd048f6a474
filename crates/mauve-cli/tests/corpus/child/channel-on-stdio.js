// The IPC channel of a child may be one of its standard descriptors.
const { spawn } = require('child_process');
if (process.argv[2] === 'child') {
  process.on('message', (message) => {
    process.send({ answer: message.question + 1 });
    process.disconnect();
  });
} else {
  const start = (position) => {
    if (position > 2) return;
    const stdio = ['ignore', 'ignore', 'inherit'];
    stdio[position] = 'ipc';
    const child = spawn(process.execPath, [__filename, 'child'], { stdio });
    child.on('message', (message) => console.log(position, message));
    child.on('disconnect', () => console.log(position, 'disconnect'));
    child.on('close', (code) => {
      console.log(position, code);
      start(position + 1);
    });
    child.send({ question: position });
  };
  start(0);
}
