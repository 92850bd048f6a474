// The module 'repl': the printing of results. The prompt of the command is `internal/repl`.
const { inspect } = require('internal/util/inspect');
const getBuiltins = () => require('module').builtinModules.filter((id) => !/^_|:/.test(id));
const writer = (value) => inspect(value, writer.options);
writer.options = { ...inspect.defaultOptions, showProxy: true };

module.exports = Object.defineProperties(require('internal/stand_in')('repl', { writer }), {
  builtinModules: { get: getBuiltins, enumerable: false, configurable: true },
  _builtinLibs: { get: getBuiltins, enumerable: false, configurable: true },
});
