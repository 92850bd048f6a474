import fs, { readFileSync } from 'node:fs';
import * as path from 'path';
import def, { named, counter, bump } from './fixtures/lib.mjs';
import cjs from './fixtures/a.js';
import pkg, { extra } from './fixtures/uses_pkg.mjs';
console.log(fs.readFileSync === readFileSync, path.sep, def, named, counter, cjs.name, pkg, extra);
bump(); console.log(counter);
console.log(typeof require, typeof module, this, import.meta.url.startsWith('file://'), import.meta.filename.endsWith('esm.mjs'), typeof import.meta.resolve);
const lazy = await import('./fixtures/lib.mjs');
console.log(Object.keys(lazy), lazy.default === def, lazy[Symbol.toStringTag]);
try { await import('./nowhere.mjs'); } catch (e) { console.log(e.code); }
try { await import('no-such-package'); } catch (e) { console.log(e.code); }
for (const name of ['./nowhere.mjs', 'no-such-package', './fixtures', 'node:no-such-module']) {
  await import(name).catch((e) => console.log(e.name, e.code, Object.keys(e), e.url?.startsWith('file://')));
}
