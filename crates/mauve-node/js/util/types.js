// The module 'util/types'.
module.exports = require('internal/util/types');
