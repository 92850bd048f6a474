// How util.inspect names things: constructors, functions and classes, boxed
// primitives, the kind of an object, and the colours.

const types = require('internal/util/types');
const text = require('internal/util/inspect_text');

let formatProperty;
let inspect;

function connect(functions) {
  ({ formatProperty, inspect } = functions);
}

const accessor = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return (value) => Reflect.apply(get, value, []);
};
const mapSize = accessor(Map.prototype, 'size');
const setSize = accessor(Set.prototype, 'size');
const typedArrayLength = accessor(Object.getPrototypeOf(Uint8Array.prototype), 'length');
const typedArrayName = accessor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

// The names of the language's own constructors.
let builtIns;
function isBuiltIn(name) {
  builtIns ??= new Set(Object.getOwnPropertyNames(globalThis).filter((key) => /^[A-Z][a-zA-Z0-9]+$/.test(key)));
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
// prototype. With `lines`, the getters and data that users' classes put on
// prototypes are listed there too.
function constructorName(object, ctx, depth, lines) {
  let first;
  let at = object;
  while (at) {
    const descriptor = Object.getOwnPropertyDescriptor(at, 'constructor');
    if (descriptor !== undefined && typeof descriptor.value === 'function' &&
        descriptor.value.name !== '' && isInstance(object, descriptor.value)) {
      const { name } = descriptor.value;
      if (lines !== undefined && (first !== at || !isBuiltIn(name))) {
        addPrototypeLines(ctx, object, first || object, depth, lines);
      }
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
  const told = new Set();
  for (let level = 0; level < 3; level++) {
    if (level !== 0 || main === object) {
      object = Object.getPrototypeOf(object);
      if (object === null) return;
      const descriptor = Object.getOwnPropertyDescriptor(object, 'constructor');
      if (typeof descriptor?.value === 'function' && isBuiltIn(descriptor.value.name)) return;
    }
    ctx.seen.push(main);
    for (const key of Reflect.ownKeys(object)) {
      if (key === 'constructor' || told.has(key) || Object.hasOwn(main, key)) continue;
      told.add(key);
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

// Whether a costly brand check is worth making: an object that has lost its
// prototype may be anything.
function mayBe(value, Class, ctorName) {
  return ctorName === null || value instanceof Class || ctorName === Class.name;
}

// Kinds by the prototype that their objects have somewhere above them.
const KINDS = new Map([
  [RegExp, 'RegExp', types.isRegExp],
  [Date, 'Date', types.isDate],
  [ArrayBuffer, 'ArrayBuffer', types.isArrayBuffer],
  [SharedArrayBuffer, 'ArrayBuffer', types.isSharedArrayBuffer],
  [Promise, 'Promise', types.isPromise],
  [WeakSet, 'WeakSet', types.isWeakSet],
  [WeakMap, 'WeakMap', types.isWeakMap],
  [Number, 'Boxed', types.isNumberObject],
  [String, 'Boxed', types.isStringObject],
  [Boolean, 'Boxed', types.isBooleanObject],
  [BigInt, 'Boxed', types.isBigIntObject],
  [Symbol, 'Boxed', types.isSymbolObject],
].map(([Class, kind, is]) => [Class.prototype, [kind, is]]));

function kindOf(value, ctorName) {
  if (types.isNativeError(value) || value instanceof Error) return 'Error';
  if (ArrayBuffer.isView(value)) return types.isTypedArray(value) ? undefined : 'DataView';
  if (ctorName === null) {
    if (types.isModuleNamespaceObject(value)) return 'Module';
    // An object that has lost its prototype may be anything.
    return [...KINDS.values()].find(([, is]) => is(value))?.[0];
  }
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    const found = KINDS.get(at);
    if (found?.[1](value)) return found[0];
  }
  return undefined;
}

const colors = Object.assign(Object.create(null), { reset: [0, 0] });
{
  const pairs = {
    bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], blink: [5, 25], inverse: [7, 27],
    hidden: [8, 28], strikethrough: [9, 29], doubleunderline: [21, 24],
  };
  Object.assign(colors, pairs);
  const hues = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  hues.forEach((hue, i) => { colors[hue] = [30 + i, 39]; });
  hues.forEach((hue, i) => { colors[`bg${capital(hue)}`] = [40 + i, 49]; });
  colors.framed = [51, 54];
  colors.overlined = [53, 55];
  hues.forEach((hue, i) => { colors[i === 0 ? 'gray' : `${hue}Bright`] = [90 + i, 39]; });
  hues.forEach((hue, i) => { colors[i === 0 ? 'bgGray' : `bg${capital(hue)}Bright`] = [100 + i, 49]; });
  const aliases = {
    grey: 'gray', blackBright: 'gray', bgGrey: 'bgGray', bgBlackBright: 'bgGray', faint: 'dim',
    crossedout: 'strikethrough', strikeThrough: 'strikethrough', crossedOut: 'strikethrough',
    conceal: 'hidden', swapColors: 'inverse', swapcolors: 'inverse', doubleUnderline: 'doubleunderline',
  };
  for (const [alias, target] of Object.entries(aliases)) {
    Object.defineProperty(colors, alias, {
      get() { return this[target]; },
      set(value) { this[target] = value; },
      configurable: true,
      enumerable: false,
    });
  }
}

module.exports = {
  boxedName,
  colors,
  connect,
  constructorName,
  functionName,
  kindOf,
  mapSize,
  mayBe,
  prefix,
  setSize,
  typedArrayLength,
  typedArrayName,
};
