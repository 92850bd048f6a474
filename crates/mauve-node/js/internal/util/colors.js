// inspect.colors and inspect.styles: the SGR codes of terminals, by name, and the colour of each kind of value.

const native = binding('util');

function createColors() {
  const colors = { __proto__: null };
  for (const [name, on, off] of native.colors()) colors[name] = [on, off];
  for (const [name, alias] of native.colorAliases()) {
    const set = (pair) => { colors[name] = pair; };
    Object.defineProperty(colors, alias, { configurable: true, get: () => colors[name], set });
  }
  return colors;
}

const createStyles = () => Object.assign(Object.create(null), Object.fromEntries(native.styles()));

module.exports = { createColors, createStyles };
