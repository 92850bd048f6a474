// The module 'fs/promises'.
module.exports = require('internal/fs/promises').promises;
