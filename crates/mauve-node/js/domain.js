module.exports = require('internal/stand_in')('domain', { _stack: [], active: null });
