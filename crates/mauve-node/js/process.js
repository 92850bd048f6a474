// The module 'process': the global object of that name.
module.exports = process;
