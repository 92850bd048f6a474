module.exports = require('internal/stand_in')('wasi');
