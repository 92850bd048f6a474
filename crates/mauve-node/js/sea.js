module.exports = require('internal/stand_in')('sea', { isSea: () => false });
