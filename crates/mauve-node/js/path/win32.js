// The module 'path/win32'.
module.exports = require('path').win32;
