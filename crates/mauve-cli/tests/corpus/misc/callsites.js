// The call sites that Error.prepareStackTrace receives.
function sites() {
  const previous = Error.prepareStackTrace;
  Error.prepareStackTrace = (error, list) => list;
  const holder = {};
  Error.captureStackTrace(holder, sites);
  const { stack } = holder;
  Error.prepareStackTrace = previous;
  return stack;
}
function outer() { return sites(); }
const [site] = outer();
for (const method of ['getFileName', 'getLineNumber', 'getFunctionName', 'isNative', 'isEval', 'isConstructor', 'isAsync', 'isPromiseAll', 'getEvalOrigin', 'getScriptNameOrSourceURL', 'getPromiseIndex']) console.log(method, typeof site[method], site[method]() === __filename ? 'this file' : site[method]());
for (const method of ['getThis', 'getTypeName', 'getFunction', 'getMethodName', 'getColumnNumber', 'isToplevel', 'toString']) console.log(method, typeof site[method]);
console.log(String(site).startsWith(`outer (${__filename}:11:`), require('process') === process, require('node:process') === process);
try { null.x; } catch (error) { console.log(error.stack.split('\n')[0]); }
