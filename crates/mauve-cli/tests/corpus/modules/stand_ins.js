// The names in modules of which mauve implements a part or nothing.
const ids = ['cluster', 'domain', 'http2', 'https', 'inspector', 'inspector/promises', 'node:sea', 'node:sqlite',
  'node:test', 'node:test/reporters', 'repl', 'sqlite', 'stream/web', 'tls', 'trace_events', 'v8', 'vm', 'wasi', 'worker_threads'];
process.removeAllListeners('warning');

for (const id of ids) {
  let found;
  try {
    found = require(id);
  } catch (error) {
    console.log(id, error.code);
    continue;
  }
  const names = Object.keys(found).filter((name) => !/^_|rootCertificates/.test(name)).sort();
  console.log(id, names.map((name) => `${name}: ${typeof found[name]}`).join(', '));
}

const { Agent, globalAgent } = require('https');
console.log(globalAgent instanceof require('http').Agent, globalAgent.defaultPort, new Agent().protocol);
const cluster = require('cluster');
console.log(cluster.isPrimary, cluster.isWorker, Object.keys(cluster.workers), typeof cluster.on);
const { isMainThread, parentPort, threadId, workerData } = require('worker_threads');
console.log(isMainThread, parentPort, threadId, workerData);
console.log(require('http2').constants.HTTP2_HEADER_PATH, require('tls').DEFAULT_MIN_VERSION);
console.log(require('inspector').url(), require('node:sea').isSea(), require('trace_events').getEnabledCategories());
console.log(Boolean(require('v8').startupSnapshot.isBuildingSnapshot()), require('domain').active);
console.log(require('repl').writer({ a: [1, { b: {} }] }));
class Socket extends require('tls').TLSSocket {}
console.log(Socket.name);

const vm = require('vm');
console.log(vm.runInThisContext('var viaVm = 6; viaVm * 7'), globalThis.viaVm);
try {
  new vm.Script('const a = ;');
} catch (error) {
  console.log(error.name);
}
console.log(new vm.Script('globalThis.later = 1; 2').runInThisContext(), globalThis.later, vm.isContext({}));
console.log(vm.compileFunction('return a + b', ['a', 'b'])(1, 2));
for (const wrong of [() => vm.isContext(1), () => vm.compileFunction(1), () => vm.compileFunction('', 1)]) {
  try { wrong(); } catch (error) { console.log(error.code); }
}
