const util = require('util');
util.promisify(setTimeout)(1, 'value').then(console.log);
util.promisify(setImmediate)('immediate').then(console.log);
console.log(require('timers').promises === require('timers/promises'), require('node:timers') === require('timers'));
