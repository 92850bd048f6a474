// The module system, for scripts that ask about it.

module.exports = require('internal/modules/cjs');
