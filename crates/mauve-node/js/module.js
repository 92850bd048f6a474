// The module 'module'.
module.exports = require('internal/modules/cjs');
