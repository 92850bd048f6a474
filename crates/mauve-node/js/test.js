// The module 'node:test', which is a function.
const names = Object.getOwnPropertyDescriptors(require('internal/stand_in')('test'));
module.exports = Object.defineProperties(require('internal/errors').refused('test', 'test', 3), names);
