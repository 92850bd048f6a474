try { require('./fixtures/bad.json'); } catch (e) { console.log(e.name, e.message.includes('bad.json')); }
console.log(require('module').isBuiltin('fs'), require('module').isBuiltin('node:fs'), require('module').isBuiltin('wat'));
const r = require('module').createRequire(__filename);
console.log(r('./fixtures/b').name);
