// A program that prints for ever ends when the reader of its output has ended.
const script = '"$0" "$@" 2>/dev/null | head -1; echo "${PIPESTATUS[0]}"';
const { stdout } = require('child_process').spawnSync('bash', ['-c', script, process.execPath, ...process.execArgv, `${__dirname}/fixtures/prints_forever.js`], { encoding: 'utf8', timeout: 10000 });
console.log(stdout);
