// Runs the main script, or the text of `-e`.

const host = binding('host');
const files = binding('modules');
const path = require('path');
const resolve = require('internal/modules/resolve');

exports.run = function run(script) {
  const target = path.resolve(script);
  const found = resolve.findFile(target, false);
  if (found !== undefined && resolve.isEsm(files.realPath(found))) {
    runEsm(files.realPath(found));
    return;
  }
  const Module = require('internal/modules/cjs');
  process.argv[1] = found !== undefined ? files.realPath(found) : target;
  Module._load(process.argv[1], undefined, true);
};

// An ES module runs inside a promise job, so microtasks run before ticks.
function runEsm(file) {
  process.argv[1] = file;
  const esm = require('internal/modules/esm');
  host.setUnsettled(true);
  const settled = () => host.setUnsettled(false);
  host.runModule(file, esm.esmFile(file, files.read(file))).then(settled, (error) => {
    settled();
    require('internal/process/fatal').uncaughtException(error, false);
  });
  host.runMicrotasks();
}

// Runs the text of `-e`.
exports.evaluate = function evaluate(text, print) {
  const Module = require('internal/modules/cjs');
  const module = new Module('[eval]');
  let directory = '/';
  try {
    directory = process.cwd();
  } catch {
    // The working directory was removed.
  }
  module.filename = path.join(directory, '[eval]');
  module.paths = resolve.nodeModulePaths(directory);
  globalThis.module = module;
  globalThis.exports = module.exports;
  globalThis.require = Module.createRequire(module.filename);
  globalThis.__filename = '[eval]';
  globalThis.__dirname = '.';
  const value = host.runScript(text, '[eval]');
  if (print) console.log(value);
};
