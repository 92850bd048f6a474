// The module 'vm': scripts in the context of the program. The engine has no other contexts.
const { checkScript, compileFunction, runScript } = binding('host');
const { validateArray, validateObject, validateString } = require('internal/validators');
const { refused } = require('internal/errors');
const OTHER_CONTEXT = ['runInContext', 'runInNewContext'];

function fileName(options, fallback) {
  const name = typeof options === 'string' ? options : options?.filename ?? fallback;
  validateString(name, 'options.filename');
  return name;
}

class Script {
  #text;
  #name;

  constructor(code, options = {}) {
    this.#text = `${code}`;
    this.#name = fileName(options, 'evalmachine.<anonymous>');
    checkScript(this.#text, this.#name);
  }

  runInThisContext() { return runScript(this.#text, this.#name); }
}
for (const name of OTHER_CONTEXT) Script.prototype[name] = refused('vm.Script', name);

module.exports = require('internal/stand_in')('vm', {
  Script,
  runInThisContext: (code, options) => new Script(code, options).runInThisContext(),
  isContext(object) {
    validateObject(object, 'object');
    return false;
  },
  compileFunction(code, params = [], options = {}) {
    validateString(code, 'code');
    validateArray(params, 'params');
    if (options.parsingContext !== undefined) throw refused('vm', 'compileFunction with parsingContext')();
    return compileFunction(code, fileName(options, ''), params.join());
  },
});
