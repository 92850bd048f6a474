// process.execPath starts a script, or the text of `-e` and `-p`.
const { spawnSync, fork } = require('child_process');

if (process.argv[2] === 'child') {
  console.log('child', process.argv.slice(3), process.execArgv.length);
} else {
  const run = (...args) => spawnSync(process.execPath, args, { encoding: 'utf8' });
  console.log(run(__filename, 'child', 'a', '--b').stdout);
  console.log(run('-e', 'console.log(1 + 1, process.argv.length)').stdout);
  console.log(run('-p', '[1, 2]').stdout);
  fork(__filename, ['child', 'forked']);
}
