// The module 'path/posix'.
module.exports = require('path').posix;
