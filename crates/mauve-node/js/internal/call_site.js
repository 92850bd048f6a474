// Gives the engine's call sites the methods that V8's have. Scripts meet them
// in their own Error.prepareStackTrace.

// One call site, to get at what all have in common.
function sample() {
  const previous = Error.prepareStackTrace;
  try {
    Error.prepareStackTrace = (_, sites) => sites;
    const holder = {};
    Error.captureStackTrace(holder);
    return holder.stack[0];
  } finally {
    Error.prepareStackTrace = previous;
  }
}

// What the engine does not know of a site has the answer that fits most.
const methods = {
  getThis() { return undefined; },
  getTypeName() { return null; },
  getFunction() { return undefined; },
  getMethodName() { return null; },
  getEvalOrigin() { return undefined; },
  getScriptNameOrSourceURL() { return this.getFileName(); },
  getScriptHash() { return ''; },
  getEnclosingLineNumber() { return 0; },
  getEnclosingColumnNumber() { return 0; },
  getPosition() { return 0; },
  getPromiseIndex() { return null; },
  isToplevel() { return true; },
  isEval() { return this.getFunctionName() === '<eval>'; },
  isConstructor() { return false; },
  isAsync() { return false; },
  isPromiseAll() { return false; },
  toString() {
    const name = this.getFunctionName();
    const place = this.isNative() ? 'native' : `${this.getFileName()}:${this.getLineNumber()}:${this.getColumnNumber()}`;
    return name ? `${name} (${place})` : place;
  },
};

exports.install = function install() {
  const prototype = Object.getPrototypeOf(sample());
  for (const [name, value] of Object.entries(methods)) {
    if (Object.hasOwn(prototype, name)) continue;
    Object.defineProperty(prototype, name, { value, writable: true, enumerable: false, configurable: true });
  }
};
