const a = require('./fixtures/a');
console.log(a, require('./fixtures/a') === a, require('./fixtures/data.json'), require('./fixtures/data').list.length);
console.log(module.children.length, module.filename === __filename, require.main === module, module.paths.length > 1);
console.log(typeof require.resolve('./fixtures/a'), require.resolve('fs'), Object.keys(require.cache).length);
console.log(require('node:path') === require('path'), module.loaded, this === module.exports, module.id);
