// How util.inspect formats each type of object: `shapeOf` selects the braces,
// the text before them, the keys, and the function that lists the entries.
// Scripts may replace Object.keys.
const { keys: objectKeys } = Object;
const types = require('internal/util/types');
const text = require('internal/util/inspect_primitives');
const names = require('internal/util/inspect_names');
const { formatError, isError } = require('internal/util/inspect_error');
const natives = binding('util');

// Types of property: of an object, an item of an array, a named key of an array.
const OBJECT = 0;
const ARRAY_ITEM = 1;
const ARRAY_EXTRA = 2;
const { prefix } = names;

// Set by internal/util/inspect, which requires this file.
let formatValue;
let formatProperty;

function connect(functions) {
  ({ formatValue, formatProperty } = functions);
  names.connect(functions);
}

function proxyDetails(value) { return natives.proxyDetails(value) ?? undefined; }

function keysOf(value, showHidden) {
  const symbols = Object.getOwnPropertySymbols(value);
  if (showHidden) return [...Object.getOwnPropertyNames(value), ...symbols];
  const keys = objectKeys(value);
  if (symbols.length === 0) return keys;
  return [...keys, ...symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))];
}

const isIndex = (key) => typeof key === 'string' && /^(0|[1-9][0-9]{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;

function nonIndexKeys(value, showHidden) {
  const { length } = value;
  const keys = keysOf(value, showHidden);
  // Indices come first; a dense array without extras is the common case.
  if (keys.length === length && (length === 0 || keys[length - 1] === String(length - 1))) return [];
  return keys.filter((key) => !isIndex(key));
}

function moreItems(output, remaining) {
  if (remaining > 0) output.push(`... ${remaining} more item${text.plural(remaining)}`);
  return output;
}

const shownCount = (ctx, length) => Math.min(Math.max(0, ctx.maxArrayLength), length);

function arrayEntries(ctx, value, depth) {
  const shown = shownCount(ctx, value.length);
  const output = [];
  for (let i = 0; i < shown; i++) {
    const descriptor = Object.getOwnPropertyDescriptor(value, i);
    if (descriptor === undefined) return sparseEntries(ctx, value, depth, shown, output, i);
    output.push(typeof descriptor.value === 'number' ?
      text.formatNumber(ctx.stylize, descriptor.value, ctx.numericSeparator) :
      formatProperty(ctx, value, depth, i, ARRAY_ITEM, descriptor));
  }
  return moreItems(output, value.length - shown);
}

// Continues at the first hole. A run of holes is one entry.
function sparseEntries(ctx, value, depth, limit, output, index) {
  const holes = (count) => ctx.stylize(`<${count} empty item${text.plural(count)}>`, 'undefined');
  const keys = objectKeys(value);
  for (let i = index; i < keys.length && output.length < limit; i++) {
    const key = keys[i];
    if (!isIndex(key)) break;
    if (String(index) !== key) {
      output.push(holes(Number(key) - index));
      index = Number(key);
      if (output.length === limit) break;
    }
    output.push(formatProperty(ctx, value, depth, key, ARRAY_ITEM));
    index += 1;
  }
  const remaining = value.length - index;
  if (output.length === limit) return moreItems(output, remaining);
  if (remaining > 0) output.push(holes(remaining));
  return output;
}

function typedArrayEntries(ctx, value, depth) {
  // A typed array without its prototype has no `length`; a copy of it has one.
  if (value.length === undefined) value = new globalThis[names.typedArrayName(value)](value);
  const shown = shownCount(ctx, value.length);
  const format = value.length > 0 && typeof value[0] === 'bigint' ? text.formatBigInt : text.formatNumber;
  const output = [];
  for (let i = 0; i < shown; i++) output.push(format(ctx.stylize, value[i], ctx.numericSeparator));
  moreItems(output, value.length - shown);
  if (ctx.showHidden) {
    ctx.indentation += 2;
    for (const key of ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer']) {
      output.push(inheritedProperty(ctx, value, key, depth, true));
    }
    ctx.indentation -= 2;
  }
  return output;
}

const inheritedProperty = (ctx, value, key, depth, inTypedArray) =>
  `${ctx.stylize(`[${key}]`, 'string')}: ${formatValue(ctx, value[key], depth, inTypedArray)}`;

function collectionEntries(ctx, size, items, format) {
  const shown = shownCount(ctx, size);
  const output = [];
  ctx.indentation += 2;
  for (const item of items) {
    if (output.length >= shown) break;
    output.push(format(item));
  }
  ctx.indentation -= 2;
  return moreItems(output, size - shown);
}

const setEntries = (ctx, value, depth) => collectionEntries(ctx, names.setSize(value), Set.prototype.values.call(value),
  (item) => formatValue(ctx, item, depth));

const mapEntries = (ctx, value, depth) => collectionEntries(ctx, names.mapSize(value), Map.prototype.entries.call(value),
  ([key, item]) => `${formatValue(ctx, key, depth)} => ${formatValue(ctx, item, depth)}`);

function bufferEntries(ctx, value) {
  let bytes;
  try {
    bytes = new Uint8Array(value);
  } catch {
    return [ctx.stylize('(detached)', 'special')];
  }
  const shown = Math.min(Math.max(0, ctx.maxArrayLength), bytes.length);
  let hex = Array.from(bytes.subarray(0, shown), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const remaining = bytes.length - shown;
  if (remaining > 0) hex += ` ... ${remaining} more byte${text.plural(remaining)}`;
  return [`${ctx.stylize('[Uint8Contents]', 'special')}: <${hex}>`];
}

function promiseEntries(ctx, value, depth) {
  const [state, result] = natives.promiseDetails(value);
  if (state === 0) return [ctx.stylize('<pending>', 'special')];
  ctx.indentation += 2;
  const shown = formatValue(ctx, result, depth);
  ctx.indentation -= 2;
  return [state === 2 ? `${ctx.stylize('<rejected>', 'special')} ${shown}` : shown];
}

const weakEntries = (ctx) => [ctx.stylize('<items unknown>', 'special')];

function namespaceProperty(ctx, value, depth, key) {
  try {
    return formatProperty(ctx, value, depth, key, OBJECT);
  } catch {
    // The binding is in its temporal dead zone.
    return `${key}: ${ctx.stylize('<uninitialized>', 'special')}`;
  }
}

// A shape: `keys`, `braces`, `base` (text before the braces), `type` (of its
// properties), `entries` (a function that lists the contents), and `whole`, the
// complete text of an object without properties.
function shape(keys, braces, more) {
  return { keys, braces, base: more?.base ?? '', type: more?.type ?? OBJECT, entries: more?.entries, whole: more?.whole };
}

function arrayShape(ctx, value, constructorName, tag) {
  const start = constructorName !== 'Array' || tag !== '' ?
    prefix(constructorName, tag, 'Array', `(${value.length})`) : '';
  const keys = nonIndexKeys(value, ctx.showHidden);
  const whole = value.length === 0 && keys.length === 0 ? `${start}[]` : undefined;
  return shape(keys, [`${start}[`, ']'], { type: ARRAY_EXTRA, entries: arrayEntries, whole });
}

function typedArrayShape(ctx, value, constructorName, tag) {
  const length = names.typedArrayLength(value);
  const keys = nonIndexKeys(value, ctx.showHidden);
  const fallback = constructorName === null ? names.typedArrayName(value) : '';
  const start = prefix(constructorName, tag, fallback, `(${length})`);
  const whole = length === 0 && keys.length === 0 && !ctx.showHidden ? `${start}[]` : undefined;
  return shape(keys, [`${start}[`, ']'], { type: ARRAY_EXTRA, entries: typedArrayEntries, whole });
}

function collectionShape(ctx, value, constructorName, tag, name, size, entries) {
  const start = prefix(constructorName, tag, name, `(${size})`);
  const keys = keysOf(value, ctx.showHidden);
  const whole = size === 0 && keys.length === 0 ? `${start}{}` : undefined;
  return shape(keys, [`${start}{`, '}'], { entries, whole });
}

// The shape of arrays, typed arrays, sets and maps; undefined for others.
function iterableShape(ctx, value, constructorName, tag) {
  if (Array.isArray(value)) return arrayShape(ctx, value, constructorName, tag);
  if (ArrayBuffer.isView(value)) return types.isTypedArray(value) ? typedArrayShape(ctx, value, constructorName, tag) : undefined;
  if (names.mayBeInstance(value, Set, constructorName) && types.isSet(value)) {
    return collectionShape(ctx, value, constructorName, tag, 'Set', names.setSize(value), setEntries);
  }
  if (names.mayBeInstance(value, Map, constructorName) && types.isMap(value)) {
    return collectionShape(ctx, value, constructorName, tag, 'Map', names.mapSize(value), mapEntries);
  }
  return undefined;
}

// The shape of an object that has a text, which is all of it without keys.
const textShape = (keys, base, whole = base) => shape(keys, ['{', '}'], { base, whole: keys.length === 0 ? whole : undefined });

// The text comes after the prefix, unless that is only the name.
function prefixedShape(ctx, constructorName, tag, name, keys, body) {
  const start = prefix(constructorName, tag, name);
  const base = start === `${name} ` ? body : start + body;
  return textShape(keys, base, ctx.stylize(base, name.toLowerCase()));
}

function regExpText(value, constructorName) { return RegExp.prototype.toString.call(constructorName !== null ? value : new RegExp(value)); }

function dateText(value) {
  const time = Date.prototype.getTime.call(value);
  return Number.isNaN(time) ? 'Invalid Date' : Date.prototype.toISOString.call(value);
}

function arrayBufferShape(ctx, value, constructorName, tag, keys, inTypedArray, listsPrototype) {
  const start = prefix(constructorName, tag, types.isArrayBuffer(value) ? 'ArrayBuffer' : 'SharedArrayBuffer');
  const short = inTypedArray !== undefined && keys.length === 0 && !listsPrototype;
  const size = text.formatNumber(ctx.stylize, value.byteLength, false);
  return shape(keys, [`${start}{`, '}'], {
    entries: (context, buffer, depth) => [...(inTypedArray === undefined ? bufferEntries(context, buffer) : []),
      inheritedProperty(context, buffer, 'byteLength', depth)],
    whole: short ? `${start}{ [byteLength]: ${size} }` : undefined,
  });
}

function boxedShape(ctx, value, constructorName, tag, keys) {
  if (types.isStringObject(value)) keys = keys.slice(value.length);
  return textShape(keys, names.boxedName(ctx, value, constructorName, tag, keys));
}

function argumentsShape(keys) { return shape(keys, ['[Arguments] {', '}'], { whole: keys.length === 0 ? '[Arguments] {}' : undefined }); }

// The shape of built-in classes with internal contents; undefined for others.
function specialShape(ctx, value, constructorName, tag, keys, inTypedArray, listsPrototype) {
  const type = names.builtInTypeOf(value, constructorName);
  const braced = (name, entries) => shape(keys, [`${prefix(constructorName, tag, name)}{`, '}'], { entries });
  switch (type) {
    case 'RegExp': return prefixedShape(ctx, constructorName, tag, type, keys, regExpText(value, constructorName));
    case 'Date': return prefixedShape(ctx, constructorName, tag, type, keys, dateText(value));
    case 'Error': return textShape(keys, formatError(ctx, value, constructorName, tag, keys, prefix));
    case 'ArrayBuffer':
      return arrayBufferShape(ctx, value, constructorName, tag, keys, inTypedArray, listsPrototype);
    case 'DataView': {
      const start = prefix(constructorName, tag, 'DataView');
      const entries = (context, view, depth) => {
        context.indentation += 2;
        const lines = ['byteLength', 'byteOffset', 'buffer'].map((key) => inheritedProperty(context, view, key, depth));
        context.indentation -= 2;
        return lines;
      };
      return shape(keys, [`${start}{`, '}'], { entries });
    }
    case 'Promise': return braced('Promise', promiseEntries);
    case 'WeakSet': return braced('WeakSet', weakEntries);
    case 'WeakMap': return braced('WeakMap', weakEntries);
    case 'Module': {
      const entries = (context, module, depth) => keys.map((key) => namespaceProperty(context, module, depth, key));
      return shape([], [`${prefix(constructorName, tag, 'Module')}{`, '}'], { entries });
    }
    case 'Boxed': return boxedShape(ctx, value, constructorName, tag, keys);
    default: return undefined;
  }
}

function shapeOf(ctx, value, constructorName, tag, listsPrototype, inTypedArray) {
  if (typeof value !== 'function' && (value[Symbol.iterator] || constructorName === null)) {
    const iterable = iterableShape(ctx, value, constructorName, tag);
    if (iterable !== undefined) return iterable;
  }
  const keys = keysOf(value, ctx.showHidden);
  if (typeof value === 'function') {
    const base = names.functionName(value, constructorName, tag);
    return textShape(keys, base, ctx.stylize(base, 'special'));
  }
  if (types.isArgumentsObject(value)) return argumentsShape(keys);
  if (constructorName !== 'Object' || isError(value)) {
    const special = specialShape(ctx, value, constructorName, tag, keys, inTypedArray, listsPrototype);
    if (special !== undefined) return special;
  }
  const start = constructorName === 'Object' && tag === '' ? '' : prefix(constructorName, tag, 'Object');
  return shape(keys, [`${start}{`, '}'], { whole: keys.length === 0 ? `${start}{}` : undefined });
}

module.exports = {
  OBJECT, ARRAY_ITEM, ARRAY_EXTRA, connect,
  constructorName: names.constructorName,
  prefix, proxyDetails, shapeOf,
};
