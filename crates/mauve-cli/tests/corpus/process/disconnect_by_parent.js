// 'close' of a child does not come if the parent has closed the channel.
const { fork } = require('child_process');

if (process.argv[2] === 'child') {
  process.on('message', () => {});
} else {
  const child = fork(__filename, ['child']);
  for (const event of ['disconnect', 'exit', 'close']) child.on(event, () => console.log(event));
  child.on('spawn', () => child.disconnect());
}
