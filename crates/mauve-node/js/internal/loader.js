// Loads the built-in modules. Each is compiled and run when it is first required.
const cache = new Map();
const bindings = new Map();
const publicIds = new Set(ids);
let visitBinding;

function getBinding(name) {
  let object = bindings.get(name);
  if (object === undefined) {
    object = binding(name);
    bindings.set(name, object);
    visitBinding?.(name, object);
  }
  return object;
}

// Calls `visit` for every binding: those that are loaded, and those that will be.
getBinding.visit = (visit) => {
  visitBinding = visit;
  for (const [name, object] of bindings) visit(name, object);
};

function requireBuiltin(id) {
  let module = cache.get(id);
  if (module !== undefined) return module.exports;
  const run = compile(id);
  if (run === null) throw new Error(`No such built-in module: ${id}`);
  module = { id, exports: {} };
  cache.set(id, module);
  run(module.exports, requireBuiltin, module, process, getBinding);
  return module.exports;
}

requireBuiltin('internal/bootstrap')({ publicIds, requireBuiltin });
