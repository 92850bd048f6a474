// The public `assert/strict`.
module.exports = require('assert').strict;
