// The script that the command was given.

const host = binding('host');
const files = binding('modules');
const path = require('path');
const paths = require('internal/modules/paths');

exports.run = function run(script) {
  const target = path.resolve(script);
  const found = paths.findFile(target, false);
  if (found !== undefined && paths.isEsm(files.realPath(found))) {
    runEsm(files.realPath(found));
    return;
  }
  const Module = require('internal/modules/cjs');
  process.argv[1] = found !== undefined ? files.realPath(found) : target;
  Module._load(process.argv[1], undefined, true);
};

// A module of the language runs as part of a job: what its promises left comes before the ticks.
function runEsm(file) {
  process.argv[1] = file;
  const esm = require('internal/modules/esm');
  host.setUnsettled(true);
  const settled = () => host.setUnsettled(false);
  host.runModule(file, esm.ownModule(file, files.read(file))).then(settled, (error) => {
    settled();
    require('internal/process/fatal').uncaught(error, false);
  });
  host.runMicrotasks();
}

// The text of `-e`.
exports.evaluate = function evaluate(text, print) {
  const Module = require('internal/modules/cjs');
  const module = new Module('[eval]');
  module.filename = path.join(process.cwd(), '[eval]');
  module.paths = paths.nodeModules(process.cwd());
  globalThis.module = module;
  globalThis.exports = module.exports;
  globalThis.require = Module.createRequire(module.filename);
  globalThis.__filename = '[eval]';
  globalThis.__dirname = '.';
  const value = host.runScript(text, '[eval]');
  if (print) console.log(value);
};
