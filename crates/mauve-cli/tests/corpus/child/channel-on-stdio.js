// The IPC channel of a child may be one of its standard descriptors. Which of its end and that of the child is
// reported first depends on the time that the child needs to exit.
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
    const disconnected = new Promise((resolve) => child.on('disconnect', resolve));
    child.on('close', async (code) => {
      await disconnected;
      console.log(position, code, child.connected);
      start(position + 1);
    });
    child.send({ question: position });
  };
  start(0);
}
