// No inspector is ever open.
module.exports = require('internal/stand_in')('inspector', { console, close() {}, url() {} });
