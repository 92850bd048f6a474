// ES modules that CommonJS modules require, and .js files that are ES modules by their syntax.
const fs = require('fs');
const os = require('os');
const path = require('path');

const dir = fs.realpathSync(fs.mkdtempSync(path.join(process.env.TMPDIR || os.tmpdir(), 'corpus-')));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (name) => path.join(dir, name);
const files = {
  'plain.mjs': "console.log('plain runs'); export const a = 1; export let b = 2;",
  'default.mjs': "console.log('default runs'); export default { x: 1 }; export const n = 1;",
  'replaced.mjs': "export { x as 'module.exports' }; const x = { replaced: true };",
  'marked.mjs': 'export const __esModule = true; export default 5;',
  'throws.mjs': "console.log('throws runs'); throw new RangeError('from the module');",
  'missing.mjs': "import x from './nowhere.mjs';",
  'cycle.mjs': "import c from './cycle.cjs'; export const z = c; console.log('cycle.mjs');",
  'cycle.cjs': "try { require('./cycle.mjs'); } catch (e) { console.log(e.code, e.message.replaceAll(__dirname, '').slice(0, 50)); } module.exports = 3;",
  'syntax.js': "import { a } from './plain.mjs'; export const c = a + 1; export const isModule = typeof require;",
  'meta.js': 'export default import.meta.url.slice(-7);',
  'not.js': "async function f() { await null; } const g = async () => await f(); exports.isScript = [typeof require, 'import x from y', f, g].length;",
  'await.js': "console.log('awaits', await new Promise((r) => setImmediate(r, 'done')), typeof require); export {};",
  'await_only.js': "for (const x of [1, 2]) { console.log(await x, typeof require); }",
};
for (const [name, text] of Object.entries(files)) fs.writeFileSync(at(name), text);

function show(name) {
  try {
    const value = require(at(name));
    console.log(name, value, Object.keys(value), require(at(name)) === value, require.cache[at(name)].loaded);
  } catch (err) {
    console.log(name, err.name, err.code, err.message.split('\n')[0].replaceAll(dir, 'DIR'));
  }
}
for (const name of ['plain.mjs', 'default.mjs', 'replaced.mjs', 'marked.mjs', 'throws.mjs', 'throws.mjs', 'missing.mjs', 'cycle.mjs',
  'syntax.js', 'meta.js', 'not.js']) show(name);
console.log(module.children.map((child) => path.basename(child.filename)));
process.on('unhandledRejection', (err) => console.log('unhandled', err));
(async () => {
  console.log((await import(at('plain.mjs'))) === require(at('plain.mjs')), (await import(at('default.mjs'))) === require(at('default.mjs')));
  console.log(await import(at('not.js')), await import(at('syntax.js')));
  await import(at('await.js'));
  await import(at('await_only.js'));
  try {
    require(at('late'));
  } catch (err) {
    console.log(err.code);
  }
  // A file is found by the known extensions only.
  fs.writeFileSync(at('late.cjs'), 'exports.late = true;');
  for (const extensions of [0, 1]) {
    try {
      if (extensions) require.extensions['.cjs'] = require.extensions['.js'];
      console.log(require(at('late')));
    } catch (err) {
      console.log(err.code);
    }
  }
})();
