// The public module `path/posix`.
module.exports = require('path').posix;
