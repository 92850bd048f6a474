module.exports = require('internal/stand_in')('http2');
