// What can be given to connect() and listen(): (options), (port, host), (path), each with a callback
// behind it.

const kNormalized = Symbol('normalized');

// Returns [options, callback or null].
function normalizeArgs(args) {
  let result;
  if (args.length === 0) {
    result = [{}, null];
    result[kNormalized] = true;
    return result;
  }
  const [first] = args;
  let options = {};
  if (typeof first === 'object' && first !== null) {
    options = first;
  } else if (isPipeName(first)) {
    options.path = first;
  } else {
    options.port = first;
    if (args.length > 1 && typeof args[1] === 'string') options.host = args[1];
  }
  const last = args[args.length - 1];
  result = [options, typeof last === 'function' ? last : null];
  result[kNormalized] = true;
  return result;
}

function isPipeName(value) {
  return typeof value === 'string' && toNumber(value) === false;
}

// A number that is not negative, or false.
function toNumber(value) {
  return (value = Number(value)) >= 0 ? value : false;
}

module.exports = { isPipeName, kNormalized, normalizeArgs, toNumber };
