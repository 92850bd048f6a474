module.exports = require('internal/stand_in')('test/reporters');
