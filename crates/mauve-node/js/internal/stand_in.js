// Makes the exports of a module that mauve leaves out, or of which it has a part. The names of Node's functions and
// classes are there, and throw when they are called. `own` has what mauve implements.
const { refused } = require('internal/errors');
const { table } = binding('util');

const VALUES = {
  class: refused,
  function: refused,
  infinity: () => Infinity,
  symbol: (path, name, value) => Symbol(value),
  table: (path, name, value) => standIn(value),
  undefined: () => undefined,
  value: (path, name, value) => JSON.parse(value),
};

function standIn(path, own = {}) {
  const object = {};
  for (const [mark, name, text] of table(path)) {
    const enumerable = !mark.startsWith('~');
    const kind = enumerable ? mark : mark.slice(1);
    const value = kind === 'class' || kind === 'function' ? Number(text) : text;
    Object.defineProperty(object, name, Object.getOwnPropertyDescriptor(own, name) ??
      { value: VALUES[kind](path, name, value), writable: true, enumerable, configurable: true });
  }
  return Object.defineProperties(object, Object.getOwnPropertyDescriptors(own));
}

module.exports = standIn;
