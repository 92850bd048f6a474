// The public `constants`, which is older than the modules its values live in now.

const os = require('os').constants;

module.exports = Object.assign({}, os.dlopen, os.errno, os.priority, os.signals, require('fs').constants);
