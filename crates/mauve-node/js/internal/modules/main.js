// Runs the main script, or the text of `-e`.
const host = binding('host');
const files = binding('modules');
const path = require('path');
const resolve = require('internal/modules/resolve');

exports.run = function run(script) {
  const target = path.resolve(script);
  const found = resolve.findFile(target, false);
  const file = found && files.realPath(found);
  if (file !== undefined && (resolve.isEsm(file) || resolve.isEsmText(file, files.read(file)))) {
    runEsm(file);
    return;
  }
  const Module = require('internal/modules/cjs');
  const isLinkKept = require('internal/options').has('--preserve-symlinks-main');
  process.argv[1] = isLinkKept ? found ?? target : file ?? target;
  Module._load(process.argv[1], undefined, true);
};

// An ES module runs inside a promise job, so microtasks run before ticks.
function runEsm(file) {
  process.argv[1] = file;
  const esm = require('internal/modules/esm');
  require('internal/async_state').endMain();
  host.setUnsettled(true);
  const settled = () => host.setUnsettled(false);
  host.runModule(file, esm.esmFile(file, files.read(file))).then(settled, (error) => {
    settled();
    require('internal/process/fatal').uncaughtException(error, false);
  });
  host.runMicrotasks();
}

// Requires modules before the script runs.
exports.preload = function preload(requests) {
  const parent = createMain('internal/preload');
  for (const request of requests) parent.require(request);
};

// Runs the text of `-e`, or a script from standard input.
exports.evaluate = function evaluate(text, name, print) {
  const module = createMain(name);
  globalThis.module = module;
  globalThis.exports = module.exports;
  globalThis.require = require('internal/modules/cjs').createRequire(module.filename);
  globalThis.__filename = name;
  globalThis.__dirname = '.';
  defineModuleGlobals();
  const value = host.runScript(text, name);
  if (print) console.log(value);
};

exports.runStdin = function runStdin() {
  let text = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => { text += chunk; });
  process.stdin.on('end', () => exports.evaluate(text, '[stdin]', false));
};

// A module without a file, in the working directory.
function createMain(name) {
  const Module = require('internal/modules/cjs');
  const module = new Module(name);
  let directory = '/';
  try {
    directory = process.cwd();
  } catch {
    // The working directory was removed.
  }
  module.filename = path.join(directory, name);
  module.paths = resolve.nodeModulePaths(directory);
  return module;
}

// Built-in modules are global variables, unless the program defines one of the same name.
function defineModuleGlobals() {
  const registry = require('internal/modules/registry');
  for (const id of registry.names()) {
    if (/[/:]/.test(id) || id in globalThis) continue;
    require('internal/util/getters').defineComputed(globalThis, id, () => registry.requireBuiltin(id));
  }
}

Object.assign(exports, { createMain, defineModuleGlobals });
