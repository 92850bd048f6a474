// promisify, callbackify, inherits, format, parseArgs and their errors.
const util = require('util');

function show(label, action) {
  try {
    console.log(label, action());
  } catch (error) {
    console.log(label, 'threw', error.name, error.code, error.message);
  }
}

for (const value of [undefined, null, 1, 'text', {}, [], Symbol('s'), 10n, true, Object.create(null), class A {}, () => {}, 'x'.repeat(40), new Map(), new (class Foo {})()]) {
  show('promisify', () => typeof util.promisify(value));
  show('inherits', () => util.inherits(function A() {}, value));
}
show('styleText', () => JSON.stringify(util.styleText('red', 'x')));
show('styleText', () => JSON.stringify(util.styleText(['bold', 'red'], 'x')));
show('styleText', () => util.styleText('red', 5));
show('usv', () => [util.toUSVString('a\ud800b'), util.stripVTControlCharacters('\u001b[31mred\u001b[39m')]);
show('errname', () => util.getSystemErrorName(-2));
show('errname', () => util.getSystemErrorName(2));
show('errname', () => util.getSystemErrorName('2'));
show('deep', () => [
  util.isDeepStrictEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }),
  util.isDeepStrictEqual([1], ['1']),
  util.isDeepStrictEqual(new Map([[{ a: 1 }, 1]]), new Map([[{ a: 1 }, 1]])),
  util.isDeepStrictEqual(new Set([[1], [2]]), new Set([[2], [1]])),
  util.isDeepStrictEqual(NaN, NaN), util.isDeepStrictEqual(0, -0),
  util.isDeepStrictEqual(new Date(0), new Date(0)), util.isDeepStrictEqual(/a/g, /a/i),
]);
const add = (a, b, done) => setTimeout(() => (b < 0 ? done(new RangeError('negative')) : done(null, a + b)), 1);
const added = util.promisify(add);
console.log(added.name, added.length, util.promisify(added) === added);
added(1, 2).then((sum) => console.log('sum', sum)).then(() => added(1, -1)).catch((error) => console.log(error.name, error.message))
  .then(() => {
    const back = util.callbackify(async (value) => { if (!value) throw value; return value * 2; });
    console.log(back.name, back.length);
    back(21, (error, value) => {
      console.log('callback', error, value);
      back(0, (error) => console.log(error.code, error.message, error.reason));
    });
  });
add[util.promisify.custom] = () => 'custom';
console.log(util.promisify(add)());
function Parent() {}
Parent.prototype.hi = () => 'hi';
function Child() {}
util.inherits(Child, Parent);
console.log(new Child().hi(), Child.super_ === Parent, new Child());
const options = { verbose: { type: 'boolean', short: 'v' }, name: { type: 'string', short: 'n', default: 'none' }, list: { type: 'string', multiple: true, short: 'l' } };
for (const args of [[], ['-v'], ['--name', 'x'], ['--name=y', '-v'], ['-nz'], ['-vn', 'q'], ['-l', 'a', '-lb', '--list=c'], ['pos', '-v', '--', '--name'], ['--nope'], ['--name'], ['--verbose=1'], ['-x'], ['--name', '-v']]) {
  show(args.join(' '), () => util.parseArgs({ args, options, allowPositionals: true, tokens: true }));
  show(args.join(' '), () => util.parseArgs({ args, options }));
  show(args.join(' '), () => util.parseArgs({ args, options, strict: false }));
}
show('bad', () => util.parseArgs({ options: { a: { type: 'number' } } }));
show('bad', () => util.parseArgs({ options: { a: { type: 'string', short: 'ab' } } }));
show('bad', () => util.parseArgs({ options: { a: { type: 'string', default: 1 } } }));
console.log(util.parseEnv('A=1\nB="two words"\n# note\nC=\'x\' # y\nexport D=4'));
console.log(util.types.isMap(new Map()), util.types.isMap({}), util.types.isDate(new Date()), util.types.isRegExp(/a/), util.types.isPromise(Promise.resolve()), util.types.isTypedArray(new Uint8Array()), util.types.isAsyncFunction(async () => {}), util.types.isGeneratorFunction(function* () {}), util.types.isBoxedPrimitive(Object(1)), util.types.isNativeError(new TypeError()), util.types.isProxy(new Proxy({}, {})));
const warnings = [];
process.emitWarning = (...args) => warnings.push(args.slice(0, 3));
const old = util.deprecate((x) => x + 1, 'old() is old', 'DEP1');
console.log(old(1), old(2), warnings);
for (const args of [['--no-color'], ['--color'], ['--no-name'], ['--no-color=1'], ['--no-other'], ['--no-color', '--color']]) {
  show(args.join(' '), () => util.parseArgs({ args, allowNegative: true, options: { color: { type: 'boolean' }, name: { type: 'string' } } }));
  show(args.join(' '), () => util.parseArgs({ args, allowNegative: true, strict: false, tokens: true, options: { color: { type: 'boolean' } } }));
}
console.log(util.transferableAbortController().signal, util.transferableAbortSignal(AbortSignal.abort(1)).reason);
