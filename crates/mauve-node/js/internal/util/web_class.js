// What the classes of the web have in common: the attributes of their members, and how util.inspect shows them.
// Makes members enumerable, and names the class for Object.prototype.toString.
function defineWebClass(Class, members) {
  for (const key of members) Object.defineProperty(Class.prototype, key, { enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
}

// The rest of a custom inspect function: shows an object as a name and values.
function inspectAs(self, name, values, depth, options, inspect) {
  if (depth < 0) return self;
  const shown = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${inspect(values, shown)}`;
}

module.exports = { customInspectSymbol: Symbol.for('nodejs.util.inspect.custom'), defineWebClass, inspectAs };
