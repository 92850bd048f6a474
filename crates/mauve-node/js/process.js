// The public `process`: the global of that name.
module.exports = process;
