// The module 'sys', an old name of 'util'.
require('internal/process/warning').deprecate('sys is deprecated. Use `node:util` instead.', 'DEP0025');

module.exports = require('util');
