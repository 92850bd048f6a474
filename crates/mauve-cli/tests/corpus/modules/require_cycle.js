// A module that is being evaluated cannot be required, but one that is evaluated later can.
const fs = require('fs');
const os = require('os');
const path = require('path');

const dir = fs.realpathSync(fs.mkdtempSync(path.join(process.env.TMPDIR || os.tmpdir(), 'corpus-')));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (name) => path.join(dir, name);
const files = {
  'outer.mjs': "import './asks.cjs'; import { sibling } from './sibling.mjs'; export const outer = sibling; console.log('outer');",
  'asks.cjs': `for (const name of ['./outer.mjs', './sibling.mjs', './reaches.mjs']) {
    try { console.log(name, require(name)); } catch (e) { console.log(name, e.code); }
  }`,
  'sibling.mjs': "export const sibling = 1; console.log('sibling');",
  'reaches.mjs': "import { outer } from './outer.mjs'; console.log('reaches', outer);",
  'itself.mjs': "import { createRequire } from 'module'; try { createRequire(import.meta.url)('./itself.mjs'); } catch (e) { console.log(e.code); }",
  'calls.mjs': "import { ask } from './asked.cjs'; ask('./calls.mjs'); ask('./sibling.mjs'); export const called = 1;",
  'asked.cjs': "exports.ask = (name) => { try { console.log(name, require(name)); } catch (e) { console.log(name, e.code); } };",
};
for (const [name, text] of Object.entries(files)) fs.writeFileSync(at(name), text);
(async () => {
  for (const name of ['outer.mjs', 'itself.mjs', 'calls.mjs']) await import(at(name));
  for (const name of ['outer.mjs', 'itself.mjs', 'calls.mjs']) console.log(require(at(name)));
})();
