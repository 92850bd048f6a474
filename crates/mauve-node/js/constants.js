// The deprecated module 'constants': the constants of 'os' and 'fs'.
const os = require('os').constants;

module.exports = Object.assign({}, os.dlopen, os.errno, os.priority, os.signals, require('fs').constants);
