// How util.inspect names objects: by constructor, as a function or class, as a
// boxed primitive, and by the built-in class whose internal slots they have.
const types = require('internal/util/types');
const text = require('internal/util/inspect_primitives');

// Set by internal/util/inspect, which requires this file.
let formatProperty;
let inspect;

function connect(functions) { ({ formatProperty, inspect } = functions); }

const accessor = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return (value) => Reflect.apply(get, value, []);
};
const mapSize = accessor(Map.prototype, 'size');
const setSize = accessor(Set.prototype, 'size');
const typedArrayLength = accessor(Object.getPrototypeOf(Uint8Array.prototype), 'length');
const typedArrayName = accessor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

// Names of the built-in constructors.
let builtIns;
function isBuiltIn(name) {
  builtIns ??= new Set(Object.getOwnPropertyNames(globalThis).filter((key) => /^[A-Z][A-Za-z\d]+$/.test(key)));
  return builtIns.has(name);
}

function isInstance(value, Class) {
  try {
    return value instanceof Class;
  } catch {
    return false;
  }
}

// `Foo `, `Foo(3) [Tag] `, `[Object: null prototype] `.
function prefix(ctorName, tag, fallback, size = '') {
  if (ctorName === null) {
    const start = `[${fallback}${size}: null prototype] `;
    return tag !== '' && fallback !== tag ? `${start}[${tag}] ` : start;
  }
  return tag !== '' && ctorName !== tag ?
    `${ctorName}${size} [${tag}] ` : `${ctorName}${size} `;
}

// Name of the nearest constructor on the prototype chain, null if there is no
// prototype. If `lines` is an array, the accessors and data properties of
// prototypes that are not built in are added to it.
function constructorName(object, ctx, depth, lines) {
  let first;
  let at = object;
  while (at) {
    // For AsyncLocalStorage the constructor of promises is an accessor.
    const descriptor = at === Promise.prototype ? { value: Promise } : Object.getOwnPropertyDescriptor(at, 'constructor');
    if (descriptor !== undefined && typeof descriptor.value === 'function' &&
        descriptor.value.name !== '' && isInstance(object, descriptor.value)) {
      const { name } = descriptor.value;
      if (lines !== undefined && (first !== at || !isBuiltIn(name))) addPrototypeLines(ctx, object, first || object, depth, lines);
      return String(name);
    }
    at = Object.getPrototypeOf(at);
    first ??= at;
  }
  if (first === null) return null;
  const toStringName = Object.prototype.toString.call(object).slice(8, -1);
  if (depth > ctx.depth && ctx.depth !== null) return `${toStringName} <Complex prototype>`;
  const parent = constructorName(first, ctx, depth + 1, lines);
  if (parent !== null) return `${toStringName} <${parent}>`;
  return `${toStringName} <${inspect(first, { ...ctx, customInspect: false, depth: -1 })}>`;
}

function addPrototypeLines(ctx, main, object, depth, lines) {
  const listed = new Set();
  for (let level = 0; level < 3; level++) {
    if (level !== 0 || main === object) {
      object = Object.getPrototypeOf(object);
      if (object === null) return;
      const descriptor = Object.getOwnPropertyDescriptor(object, 'constructor');
      if (typeof descriptor?.value === 'function' && isBuiltIn(descriptor.value.name)) return;
    }
    ctx.seen.push(main);
    for (const key of Reflect.ownKeys(object)) {
      if (key === 'constructor' || listed.has(key) || Object.hasOwn(main, key)) continue;
      listed.add(key);
      const descriptor = Object.getOwnPropertyDescriptor(object, key);
      if (typeof descriptor.value === 'function') continue;
      const line = formatProperty(ctx, object, depth, key, 0, descriptor, main);
      lines.push(ctx.colors ? `\u001b[2m${line}\u001b[22m` : line);
    }
    ctx.seen.pop();
  }
}

function isClass(source) {
  if (!source.startsWith('class') || !source.endsWith('}')) return false;
  const head = source.slice(5, -1);
  const brace = head.indexOf('{');
  if (brace === -1) return false;
  return !head.slice(0, brace).includes('(') ||
    /^\s+[^(]*?\{/.test(head.replace(/\/\/.*?\n|\/\*[\s\S]*?\*\//g, ''));
}

function className(value, ctorName, tag) {
  const name = (Object.hasOwn(value, 'name') && value.name) || '(anonymous)';
  let base = `class ${name}`;
  if (ctorName !== 'Function' && ctorName !== null) base += ` [${ctorName}]`;
  if (tag !== '' && ctorName !== tag) base += ` [${tag}]`;
  if (ctorName === null) return `[${base} extends null]`;
  const parent = Object.getPrototypeOf(value).name;
  return parent ? `[${base} extends ${parent}]` : `[${base}]`;
}

function functionName(value, ctorName, tag) {
  const source = types.functionText(value);
  if (isClass(source)) return className(value, ctorName, tag);
  let type = 'Function';
  if (types.isGeneratorFunction(value)) type = `Generator${type}`;
  if (types.isAsyncFunction(value)) type = `Async${type}`;
  let base = `[${type}`;
  if (ctorName === null) base += ' (null prototype)';
  base += value.name === '' ? ' (anonymous)]' : `: ${value.name}]`;
  if (ctorName !== type && ctorName !== null) base += ` ${ctorName}`;
  if (tag !== '' && ctorName !== tag) base += ` [${tag}]`;
  return base;
}

const BOXES = [
  ['Number', types.isNumberObject, Number],
  ['String', types.isStringObject, String],
  ['Boolean', types.isBooleanObject, Boolean],
  ['BigInt', types.isBigIntObject, BigInt],
  ['Symbol', types.isSymbolObject, Symbol],
];

function boxedName(ctx, value, ctorName, tag, keys) {
  const [type, , Box] = BOXES.find(([, is]) => is(value));
  const primitive = Box.prototype.valueOf.call(value);
  let base = `[${type}`;
  if (type !== ctorName) base += ctorName === null ? ' (null prototype)' : ` (${ctorName})`;
  base += `: ${text.formatPrimitive(ctx, (string) => string, primitive)}]`;
  if (tag !== '' && tag !== ctorName) base += ` [${tag}]`;
  return keys.length !== 0 || !ctx.colors ? base : ctx.stylize(base, type.toLowerCase());
}

// A cheap test before a costly brand check. It holds for every object without
// a prototype, which can be of any class.
function mayBeInstance(value, Class, ctorName) { return ctorName === null || value instanceof Class || ctorName === Class.name; }

// Built-in types by prototype, each with its brand check. Their objects have this
// prototype on the chain, unless they have no prototype at all.
const BUILT_IN_TYPES = new Map([
  [RegExp, 'RegExp', types.isRegExp],
  [Date, 'Date', types.isDate],
  [ArrayBuffer, 'ArrayBuffer', types.isArrayBuffer],
  [SharedArrayBuffer, 'ArrayBuffer', types.isSharedArrayBuffer],
  [Promise, 'Promise', types.isPromise],
  [WeakSet, 'WeakSet', types.isWeakSet],
  [WeakMap, 'WeakMap', types.isWeakMap],
  ...BOXES.map(([, is, Class]) => [Class, 'Boxed', is]),
].map(([Class, type, is]) => [Class.prototype, [type, is]]));

function builtInTypeOf(value, ctorName) {
  if (types.isNativeError(value) || value instanceof Error) return 'Error';
  if (ArrayBuffer.isView(value)) return types.isTypedArray(value) ? undefined : 'DataView';
  if (ctorName === null) {
    if (types.isModuleNamespaceObject(value)) return 'Module';
    // Without a prototype, only the brand checks apply.
    return [...BUILT_IN_TYPES.values()].find(([, is]) => is(value))?.[0];
  }
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    const found = BUILT_IN_TYPES.get(at);
    if (found?.[1](value)) return found[0];
  }
  return undefined;
}

module.exports = {
  boxedName, builtInTypeOf, connect, constructorName, functionName, mapSize, mayBeInstance, prefix, setSize,
  typedArrayLength, typedArrayName,
};
