// What can be given to connect() and listen(): (options), (port, host), (path), each with a callback
// behind it.

const kNormalized = Symbol('normalized');

// What the arguments before the callback mean.
function optionsOf([first, second]) {
  if (first !== null && typeof first === 'object') return first;
  if (isPipeName(first)) return { path: first };
  return typeof second === 'string' ? { port: first, host: second } : { port: first };
}

// Returns [options, callback or null].
function normalizeArgs(given) {
  const callback = given.at(-1);
  const result = [
    given.length > 0 ? optionsOf(given) : {},
    typeof callback === 'function' ? callback : null,
  ];
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
