// The messages of argument errors, through public functions.
const cases = [
  () => require('path').join(5), () => new (require('events'))().on('x'), () => Buffer.alloc({}), () => require('util').inherits(5, 6), () => setTimeout('x'), () => process.nextTick(5), () => queueMicrotask('x'), () => setImmediate(), () => setInterval(null),
  () => new URL('x'), () => require('util').promisify('x'), () => require('util').callbackify(5), () => process.chdir(5), () => process.kill('x'), () => process.exitCode = 'abc', () => process.hrtime(5), () => process.hrtime([1]),
  () => require('assert').throws('x'), () => require('url').parse(undefined), () => new (require('string_decoder').StringDecoder)('bad'), () => require('querystring').escape('\ud800'), () => structuredClone(() => {}), () => new AbortController().signal.throwIfAborted.call({}), () => AbortSignal.timeout('x'), () => new Blob(5), () => new TextDecoder('x'), () => atob('***'), () => require('util').parseArgs(5), () => require('util').stripVTControlCharacters(5), () => require('util').formatWithOptions(5), () => require('util').inspect.defaultOptions = 5, () => require('util').aborted(5),
];
const show = (error) => console.log(error.name, '|', error.code, '|', error.message, '|', String(error) === `${error.name} [${error.code}]: ${error.message}`, error.stack?.split('\n')[0] === `${error.name} [${error.code}]: ${error.message}`, Object.keys(error).join());
(async () => {
  for (const one of cases) {
    try {
      const result = await one();
      console.log(one.toString(), typeof result);
    } catch (error) {
      show(error);
    }
  }
  try { Buffer.from(5); } catch (error) {
    error.stack = error.stack.split('\n')[0];
    console.log(error, error instanceof TypeError, error.constructor === TypeError, Object.prototype.toString.call(error), require('util').types.isNativeError(error));
  }
})();
