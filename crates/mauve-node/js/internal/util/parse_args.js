// util.parseArgs. The binding returns the code of an error with the arguments of its message, or the result.
const { codes } = require('internal/errors');

exports.parseArgs = function parseArgs(config = {}) {
  const [error, result] = binding('util').parseArgs(Object(config), () => process.argv.slice(2));
  if (error) throw new codes[error[0]](...error.slice(1));
  return result;
};
