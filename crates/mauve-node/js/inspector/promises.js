module.exports = require('inspector');
