// All console methods that write to stdout.
console.log();
console.log('a', 1, true, null, undefined, Symbol('s'), 10n, -0, [1], { a: 1 });
console.info('info %s', 'x');
console.debug('debug %d', 4.5);
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: null });
console.dirxml({ a: 1 }, [2]);
console.group('outer');
console.log('in\nside');
console.group();
console.log({ a: 'x'.repeat(40), b: 'y'.repeat(40) });
console.groupEnd();
console.groupCollapsed('collapsed', 5);
console.log('deep');
console.groupEnd();
console.groupEnd();
console.groupEnd();
console.log('out');
console.count(); console.count('x'); console.count(); console.countReset(); console.count();
console.count(undefined); console.count(null); console.count({});
for (const data of [[1, 2, 3], ['a', 'b'], [[1, 2], [3, 4]], [{ a: 1, b: 'x' }, { a: 2, c: true }], { r1: { x: 1 }, r2: { y: 2 } }, new Map([['k', 1], ['l', { a: 1 }]]), new Set([1, 'two']), [], {}, 5, 'text', null, undefined, [{ a: { b: 1 } }, { a: [1, 2, 3, 4, 5] }], [[], {}], [1, { a: 2 }], ['日本', 'é'], [undefined, null], [Symbol('s')], [() => {}], new Map(), [new Date(0)], [{ a: { x: 1, y: 2, z: 3 } }]]) console.table(data);
console.table([{ a: 1, b: 2, c: 3 }, { a: 4, b: 5, c: 6 }], ['a', 'c']);
console.table([{ a: 1 }], ['none']);
console.table([1, 2], []);
try { console.table([1], 5); } catch (error) { console.log(error.code, error.message); }
console.assert(true, 'not shown');
const { log } = console;
log('detached');
console.log('%s|%s|%s', 'a'); console.log('%s', 'a', 'b'); console.log('%5d|', 5); console.log('%%', '%'); console.log('a%'); console.log('%o', [1, { a: 2 }]); console.log('%O', { a: { b: { c: { d: {} } } } }); console.log('%j', { a: [1] }); console.log('%j', undefined); console.log('%i', '42.9px'); console.log('%f', '1.5e3x'); console.log('%c styled', 'color: red'); console.log('%s', null, undefined, true); console.log('%d', '0x10', '%d'); console.log('%s', 'x'.repeat(5), { a: 1 }); console.log('%z', 1); console.log('%', 1);
const circular = { name: 'c' }; circular.me = circular;
console.log('%j', circular); console.log('%s', circular); console.log('%o', circular);
console.log('%s', { toString() { return 'own'; } }, new (class A { toString() { return 'class'; } })(), [1, [2, [3]]], new Date(0), new Map([[1, { a: { b: 1 } }]]));
console.log('%d', new Date(5), '%i', {}, [], '3');
console.log(typeof console.time, typeof console.Console, Object.prototype.toString.call(console), console.timeStamp());
const lines = [];
const own = new console.Console({ stdout: { write: (text) => lines.push(text) }, groupIndentation: 4, ignoreErrors: false, inspectOptions: { depth: 0 }, colorMode: false });
own.log({ a: { b: 1 } }); own.group('g'); own.log('x\ny'); own.error('err'); own.groupEnd(); own.table([1]); own.dir({ a: { b: 1 } }, { depth: 1 });
console.log(lines);
const coloured = [];
new console.Console({ stdout: { write: (text) => coloured.push(text) }, colorMode: true, ignoreErrors: false }).log({ a: 1, b: 'x', c: null, d: undefined, e: [true], f() {}, g: Symbol('q'), h: /r/, i: new Date(0), j: 5n }, 'text', 7);
console.log(JSON.stringify(coloured));
for (const bad of [undefined, {}, { stdout: {} }, { stdout: process.stdout, stderr: 5 }, { stdout: process.stdout, colorMode: 'x' }]) {
  try { new console.Console(bad); } catch (error) { console.log(error.code, error.message); }
}
console.timeEnd('missing'); console.timeLog('missing'); console.countReset('missing');
console.table([1, { a: 2 }, null], ['a']);
