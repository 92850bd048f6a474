// Module.wrapper, Module.wrap and Module.runMain can be replaced. Code in node_modules may use `new Buffer`.
const { spawnSync } = require('child_process');
const fs = require('fs');
const Module = require('module');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wrapper-'));
const file = (name, text) => {
  const full = path.join(folder, name);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
  return full;
};

console.log(JSON.stringify(Module.wrap('body')), Module.wrapper.length);
const [head] = Module.wrapper;
const counted = file('counted.js', 'exports.name = __filename.length > 0;');
Module.wrapper[0] += 'globalThis.loads = (globalThis.loads ?? 0) + 1;';
console.log(require(counted).name, globalThis.loads);
Module.wrapper[0] = head;
delete require.cache[counted];
console.log(require(counted).name, globalThis.loads);

const preload = file('preload.js', `const Module = require('module');
const { runMain } = Module;
Module.runMain = (...args) => { console.log('before main'); runMain(...args); };`);
const run = (...args) => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  console.log(stdout, /DEP0005/.test(stderr));
};
run('-r', preload, file('main.js', 'console.log("main", require.main === module)'));
const old = 'module.exports = new Buffer(3).length;';
file('node_modules/old/index.js', old);
run(file('uses.js', 'console.log(require("old"))'));
run('--pending-deprecation', path.join(folder, 'uses.js'));
run(file('own.js', 'console.log(new Buffer(4).length)'));
fs.rmSync(folder, { recursive: true });
