// Adds the methods of V8's CallSite to the engine's call sites, which programs get in
// Error.prepareStackTrace.
// Returns a call site, whose prototype all call sites share.
function captureCallSite() {
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

// Methods whose information the engine does not have return a constant.
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
    const position = `${this.getFileName()}:${this.getLineNumber()}:${this.getColumnNumber()}`;
    const location = this.isNative() ? 'native' : position;
    return name ? `${name} (${location})` : location;
  },
};

exports.install = function install() {
  const prototype = Object.getPrototypeOf(captureCallSite());
  for (const [name, value] of Object.entries(methods)) {
    if (Object.hasOwn(prototype, name)) continue;
    Object.defineProperty(prototype, name, { value, writable: true, enumerable: false, configurable: true });
  }
};
