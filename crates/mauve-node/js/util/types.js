// The public `util/types`.
module.exports = require('internal/util/types');
