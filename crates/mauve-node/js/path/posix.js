// The public `path/posix`.
module.exports = require('path').posix;
