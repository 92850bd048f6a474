// Node's options on the command line, and scripts from standard input.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'options-'));
const preload = path.join(folder, 'preload.js');
fs.writeFileSync(preload, 'console.log("preloaded", module.id === __filename, require.main === undefined);');

function run(args, options) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', ...options });
  const errors = stderr.split('\n').filter((line) => /^\S.*(Warning|Error:|Use `)/.test(line))
    .map((line) => line.replace(/\((\w+):\d+\)/, '(pid)').replace(/`\w+ /, '`program '));
  console.log(args.map((arg) => arg.replace(folder, '')), status, JSON.stringify(stdout), errors);
}

run(['-r', preload, '-e', 'console.log(process.execArgv.length, process.argv.length)']);
run(['--require', preload, '-p', '1 + 1']);
run([`--require=${preload}`, '-pe', 'os.EOL + path.sep']);
run(['-', 'a', '--b'], { input: 'console.log(process.argv.slice(2), __filename, require("path").sep)' });
run([], { input: 'console.log("no script", process.argv.length)' });
for (const flag of [[], ['--no-warnings'], ['--trace-warnings']]) {
  run([...flag, '-e', 'process.emitWarning("careful"); process.emitWarning("again")']);
}
run(['--no-deprecation', '-e', 'console.log(process.noDeprecation); process.emitWarning("old", "DeprecationWarning", "DEP1")']);
run(['--throw-deprecation', '-e', 'process.emitWarning("old", "DeprecationWarning", "DEP1")']);
run(['--disable-warning=DEP1', '-e', 'process.emitWarning("old", "DeprecationWarning", "DEP1"); process.emitWarning("new", "DeprecationWarning", "DEP2")']);
run(['-e', 'process.emitWarning("x")'], { env: { ...process.env, NODE_NO_WARNINGS: '1' } });
run(['-e', 'process.emitWarning("x")'], { env: { ...process.env, NODE_OPTIONS: '--no-warnings' } });
for (const mode of ['none', 'warn', 'throw', 'strict', 'warn-with-error-code']) {
  const code = 'process.on("exit", (code) => console.log("exit", code));';
  run([`--unhandled-rejections=${mode}`, '-e', `${code} Promise.reject(new Error("no"))`]);
  run([`--unhandled-rejections=${mode}`, '-e', `${code} process.on("unhandledRejection", (e) => console.log(e)); Promise.reject(7)`]);
}
run(['--max-http-header-size=100', '-p', 'http.maxHeaderSize']);
const file = path.join(folder, 'warnings.txt');
run([`--redirect-warnings=${file}`, '-e', 'process.emitWarning("to the file")']);
console.log(fs.readFileSync(file, 'utf8').includes('Warning: to the file'));
for (const args of [['--no-such-option', '-p', '1'], ['--unhandled-rejections=maybe', '-p', '1'], ['-r']]) {
  console.log(spawnSync(process.execPath, args).status);
}
fs.rmSync(folder, { recursive: true });
