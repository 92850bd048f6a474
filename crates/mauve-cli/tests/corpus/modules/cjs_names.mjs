// CommonJS modules that ES modules import: which names they export, and when they run.
import fs from 'fs';
import os from 'os';
import path from 'path';

const dir = fs.realpathSync(fs.mkdtempSync(path.join(process.env.TMPDIR || os.tmpdir(), 'corpus-')));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const write = (name, text) => fs.writeFileSync(path.join(dir, name), text);
write('p.cjs', 'exports.p = 1; exports.q = 2; exports.default = 3;');
write('r.cjs', 'exports.r = 1; Object.defineProperty(exports, "__esModule", { value: true });');

// Most texts do not run: the text alone decides.
const never = (text) => `if (0) { ${text} }`;
const define = (...descriptors) => never(descriptors.map((text, i) => `Object.defineProperty(exports, 'n${i}', ${text});`).join(' '));
const copied = (body) => `var a = require('./p.cjs'); Object.keys(a).forEach(function (key) { ${body} });`;
const skip = "if (key === 'default' || key === '__esModule') return;";
const TEXTS = [
  never("exports.a = 1; exports['b'] = 2; exports[`c`] = 3; exports.d.e = 4; x.exports.f = 5; exports.g += 6; exports.h == 7;"),
  never("module.exports.a = 1; module['exports'].b = 2; module . exports . c = 3; exports\n.d = 4; exports./* e */e = 5; exports?.f;"),
  never("myexports.a = 1; $exports.b = 2; this.exports.c = 3; exports.class = 4; exports['not an identifier'] = 5; exports.ü = 6;"),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a module
  "// exports.a = 1\n/* exports.b = 1 */ 'exports.c = 1'; `exports.d = 1 ${exports.e = 2}`; /exports.f = 1/.test('');",
  "if (1) /'/.test(exports.a = 1); var x = 4 / 2; exports.b = x / 2; // '",
  never("}\n/'/.test(''); { exports.a = 1; // '\n"),
  ...['a, b: c, "d": e, f: 1, g', 'a, b: c.d, e', 'a, b() {}, c', 'a, get b() {}, c', 'a, [b]: c, d', 'a, ...b, c', 'a, ...b.c, d',
    "a, ...require('./p.cjs'), b: c", "a, b: require('./p.cjs'), c", "a, 'b': 'c', d", 'a: function () {}, b', 'a, async b() {}, c',
    'a: (b), c', 'default: 1, a', "'a-b': c, if: d, 12: e, f"].map((text) => never(`module.exports = { ${text} };`)),
  "module.exports = require('./p.cjs');",
  "module.exports = require('./p.cjs'); module.exports = require('./r.cjs');",
  "exports.z = 1; module.exports = require('./p.cjs').default;",
  "module.exports = 1 ? require('./p.cjs') : 0;",
  "module.exports = require('fs');",
  "0 && (module.exports = { a, b, ...require('./p.cjs') });",
  'exports = module.exports = function () {}; exports.a = exports.b = 1;',
  define('{ value: 1 }', '{ enumerable: true, value: 1 }', '{ writable: true, value: 1 }', '{ enumerable: false, value: 1 }', 'd',
    '{ enumerable: true, get: function () { return a.b; } }', '{ get() { return a["b"] } }', '{ get: () => 1 }', '{ get: function () { return 1; } }',
    '{ get: function b() { return a; }, }', '{ get: function () { return a.b.c; } }', '{ get: function () { return a.b; }, configurable: true }'),
  "__exportStar(require('./p.cjs'), exports); function __exportStar(m, e) { Object.assign(e, m); }",
  "var t = { __exportStar() {} }; t.__exportStar(require('./p.cjs'), exports);",
  never("__exportStar(require('./p.cjs'), exports);"),
  copied(`${skip} exports[key] = a[key];`),
  copied(`${skip} if (key in exports && exports[key] === a[key]) return; Object.defineProperty(exports, key, { enumerable: true, get: function () { return a[key]; } });`),
  copied("if (key !== 'default' && !exports.hasOwnProperty(key)) exports[key] = a[key];"),
  copied("if (key === 'default') return; exports[key] = a[key];"),
  copied('exports[key] = a[key];'),
  "#!/usr/bin/env node\nexports.a = 1;",
  'exports.a = 1; return; exports.b = 2;',
  "Object.defineProperty(exports, 'throws', { enumerable: true, get: function () { return a.b; } }); var a;",
  'module.exports = null; module.exports = 7; exports.a = 1;',
];
for (const [index, text] of TEXTS.entries()) {
  write(`m${index}.cjs`, text);
  const names = await import(path.join(dir, `m${index}.cjs`));
  console.log(index, Object.keys(names).join(' '), index > 25 ? Object.values(names).map((value) => typeof value).join(' ') : '');
}

write('missing.cjs', "module.exports = require('./nowhere.cjs');");
await import(path.join(dir, 'missing.cjs')).catch((err) => console.log(err.code));
write('first.mjs', "console.log('first'); export const first = 1;");
write('second.cjs', "console.log('second', Object.keys(require('./late.cjs'))); exports.second = 2;");
write('late.cjs', "console.log('late'); exports.late = 3;");
write('order.mjs', "import './first.mjs'; import { second } from './second.cjs'; import late from './late.cjs'; console.log('main', second, late);");
await import(path.join(dir, 'order.mjs'));
write('throws.cjs', "console.log('throws'); throw new Error('in CommonJS');");
for (let i = 0; i < 2; i++) await import(path.join(dir, 'throws.cjs')).catch((err) => console.log(err.message));
