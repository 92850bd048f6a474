// The arguments of connect() and listen(): (options), (port, host) or (path), with an optional callback.
const kNormalized = Symbol('normalized');

// Converts the arguments before the callback to options.
function optionsFromArgs([first, second]) {
  if (first !== null && typeof first === 'object') return first;
  if (isPipeName(first)) return { path: first };
  return typeof second === 'string' ? { port: first, host: second } : { port: first };
}

// Returns [options, callback or null].
function normalizeArgs(args) {
  const callback = args.at(-1);
  const result = [args.length > 0 ? optionsFromArgs(args) : {}, typeof callback === 'function' ? callback : null];
  result[kNormalized] = true;
  return result;
}

function isPipeName(value) { return typeof value === 'string' && toNumber(value) === false; }

// A number that is not negative, or false.
function toNumber(value) { return (value = Number(value)) >= 0 ? value : false; }

module.exports = { isPipeName, kNormalized, normalizeArgs, toNumber };
