// inspect.colors and inspect.styles: the SGR codes of terminals, by name, and the colour of each kind of value.
const native = binding('util');

function createColors() {
  const colors = { __proto__: null };
  for (const [name, on, off] of native.table('colors')) colors[name] = [Number(on), Number(off)];
  for (const [name, alias] of native.table('colorAliases')) {
    const set = (pair) => { colors[name] = pair; };
    Object.defineProperty(colors, alias, { configurable: true, get: () => colors[name], set });
  }
  return colors;
}

const createStyles = () => Object.assign(Object.create(null), Object.fromEntries(native.table('styles')));

module.exports = { createColors, createStyles };
