// The module 'assert/strict'.
module.exports = require('assert').strict;
