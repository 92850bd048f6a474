// util.inspect: options, the dispatch by type of value, and properties.
//
// inspect_contents formats the contents of each type of object, inspect_error
// errors, inspect_primitives primitives; inspect_layout breaks lines.
// Scripts may replace Object.keys.
const { keys: objectKeys } = Object;
const types = require('internal/util/types');
const text = require('internal/util/inspect_primitives');
const { createColors, createStyles } = require('internal/util/colors');
const { getStringWidth, stripVTControlCharacters } = require('internal/util/string_width');
const { layOut } = require('internal/util/inspect_layout');
const contents = require('internal/util/inspect_contents');
const { OBJECT, ARRAY_ITEM, ARRAY_EXTRA } = contents;
const customInspectSymbol = Symbol.for('nodejs.util.inspect.custom');

const defaultOptions = Object.seal({
  showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false, maxArrayLength: 100,
  maxStringLength: 10000, breakLength: 80, compact: 3, sorted: false, getters: false, numericSeparator: false,
});
// Options for which null means "no limit".
const LIMITS = ['maxArrayLength', 'maxStringLength'];

// Above this many characters, deeper objects are only named.
const BUDGET = 2 ** 27;
const plain = (string) => string;

// Wraps the string in the colour codes of a style.
function stylizeWithColor(string, styleName) {
  const codes = inspect.colors[inspect.styles[styleName]];
  return codes === undefined ? string : `\u001b[${codes[0]}m${string}\u001b[${codes[1]}m`;
}

// The older signature is (value, showHidden, depth, colors).
function inspect(value, options, ...rest) { return formatValue(createContext(options, rest[0], rest[1]), value, 0); }

// The options, and the state of one call of inspect:
//   seen          the objects that enclose the current one
//   circular      objects that contain themselves, and their reference numbers
//   indentation   columns before the current object
//   currentDepth  depth of the object that was formatted last
//   budget        characters produced so far, by indentation
//   userOptions   the caller's object, if it has options that are not inspect's
function createContext(options, depth, colors) {
  const ctx = {
    ...defaultOptions,
    stylize: plain,
    seen: [],
    circular: undefined,
    indentation: 0,
    currentDepth: 0,
    budget: {},
    userOptions: undefined,
  };
  if (depth !== undefined) ctx.depth = depth;
  if (colors !== undefined) ctx.colors = colors;
  if (typeof options === 'boolean') ctx.showHidden = options;
  else if (options) applyOptions(ctx, options);
  if (ctx.colors) ctx.stylize = stylizeWithColor;
  for (const limit of LIMITS) {
    if (ctx[limit] === null) ctx[limit] = Infinity;
  }
  return ctx;
}

function applyOptions(ctx, options) {
  for (const key of objectKeys(options)) {
    const isKnown = key === 'stylize' || Object.hasOwn(defaultOptions, key);
    if (isKnown) ctx[key] = options[key];
    else ctx.userOptions ??= options;
  }
}

// The options that a custom inspect function gets.
function customOptions(ctx) {
  const current = objectKeys(defaultOptions).map((key) => [key, ctx[key]]);
  return { stylize: ctx.stylize, ...Object.fromEntries(current), ...ctx.userOptions };
}

function formatValue(ctx, value, depth, inTypedArray) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return formatNonObject(ctx, value);
  let target = value;
  const proxy = contents.proxyDetails(value);
  if (proxy !== undefined) {
    target = proxy[0];
    if (target === null) return ctx.stylize('<Revoked Proxy>', 'special');
    if (ctx.showProxy) return formatProxy(ctx, proxy, depth);
  }
  const custom = ctx.customInspect ? target[customInspectSymbol] : undefined;
  if (typeof custom === 'function') {
    const shown = formatCustom(ctx, custom, value, target, depth);
    if (shown !== undefined) return shown;
  }
  return ctx.seen.includes(target) ? formatCircular(ctx, target) : formatObject(ctx, target, depth, inTypedArray);
}

function formatNonObject(ctx, value) { return value === null ? ctx.stylize('null', 'null') : text.formatPrimitive(ctx, ctx.stylize, value); }

// The result of the object's own inspect function; undefined if it returns the object itself or does
// not apply.
function formatCustom(ctx, custom, value, target, depth) {
  if (custom === inspect || isPrototypeObject(target)) return undefined;
  const depthLeft = ctx.depth === null ? null : ctx.depth - depth;
  const result = Reflect.apply(custom, value, [depthLeft, customOptions(ctx), inspect]);
  if (result === value) return undefined;
  if (typeof result === 'object') return formatValue(ctx, result, depth);
  return `${result}`.split('\n').join(`\n${' '.repeat(ctx.indentation)}`);
}

const isPrototypeObject = (object) => Boolean(object.constructor) && object.constructor.prototype === object;

// A reference to an enclosing object.
function formatCircular(ctx, value) {
  const references = ctx.circular ??= new Map();
  if (!references.has(value)) references.set(value, references.size + 1);
  return ctx.stylize(`[Circular *${references.get(value)}]`, 'special');
}

function formatProxy(ctx, proxy, depth) {
  if (depth > ctx.depth && ctx.depth !== null) return ctx.stylize('Proxy [Array]', 'special');
  ctx.indentation += 2;
  const output = proxy.map((part) => formatValue(ctx, part, depth + 1));
  ctx.indentation -= 2;
  return layOut(ctx, output, '', ['Proxy [', ']'], true, depth + 1);
}

function formatObject(ctx, value, depth, inTypedArray) {
  const prototypeLines = ctx.showHidden && (depth <= ctx.depth || ctx.depth === null) ? [] : undefined;
  const constructorName = contents.constructorName(value, ctx, depth, prototypeLines);
  const withPrototype = prototypeLines !== undefined && prototypeLines.length > 0 ? prototypeLines : undefined;
  // A tag that is listed as a property is not repeated in the prefix.
  let tag = value[Symbol.toStringTag];
  if (typeof tag !== 'string' || (tag !== '' && (ctx.showHidden ?
    Object.hasOwn(value, Symbol.toStringTag) :
    Object.prototype.propertyIsEnumerable.call(value, Symbol.toStringTag)))) {
    tag = '';
  }

  const shape = contents.shapeOf(ctx, value, constructorName, tag, withPrototype !== undefined, inTypedArray);
  if (shape.whole !== undefined && withPrototype === undefined) return shape.whole;

  if (depth > ctx.depth && ctx.depth !== null) {
    const name = contents.prefix(constructorName, tag, 'Object').slice(0, -1);
    return ctx.stylize(constructorName === null ? name : `[${name}]`, 'special');
  }

  depth += 1;
  ctx.seen.push(value);
  ctx.currentDepth = depth;
  const output = shape.entries === undefined ? [] : shape.entries(ctx, value, depth);
  for (const key of shape.keys) output.push(formatProperty(ctx, value, depth, key, shape.type));
  if (withPrototype !== undefined) output.push(...withPrototype);
  ctx.seen.pop();

  let { base } = shape;
  const braces = shape.braces;
  const index = ctx.circular?.get(value);
  if (index !== undefined) {
    const reference = ctx.stylize(`<ref *${index}>`, 'special');
    if (ctx.compact === true) braces[0] = `${reference} ${braces[0]}`;
    else base = base === '' ? reference : `${reference} ${base}`;
  }
  if (ctx.sorted) sortOutput(ctx, output, shape);

  const result = layOut(ctx, output, base, braces, shape.type === ARRAY_EXTRA, depth, value);
  const spent = (ctx.budget[ctx.indentation] || 0) + result.length;
  ctx.budget[ctx.indentation] = spent;
  if (spent > BUDGET) ctx.depth = -1;
  return result;
}

function sortOutput(ctx, output, shape) {
  const order = ctx.sorted === true ? undefined : ctx.sorted;
  if (shape.type === OBJECT) {
    output.sort(order);
  } else if (shape.keys.length > 1) {
    const start = output.length - shape.keys.length;
    output.splice(start, shape.keys.length, ...output.slice(start).sort(order));
  }
}

// Whether the option `getters` selects an accessor.
function isGetterShown(ctx, { set }) {
  if (ctx.getters === 'get') return set === undefined;
  if (ctx.getters === 'set') return set !== undefined;
  return ctx.getters === true;
}

function formatGetter(ctx, descriptor, receiver, depth) {
  const label = descriptor.set === undefined ? 'Getter' : 'Getter/Setter';
  const special = (string) => ctx.stylize(string, 'special');
  if (!isGetterShown(ctx, descriptor)) return special(`[${label}]`);
  const bracketed = (string) => `${special(`[${label}:`)} ${string}${special(']')}`;
  ctx.indentation += 2;
  try {
    const value = Reflect.apply(descriptor.get, receiver, []);
    if (typeof value !== 'object' || value === null) return bracketed(formatNonObject(ctx, value));
    return `${special(`[${label}]`)} ${formatValue(ctx, value, depth)}`;
  } catch (error) {
    return bracketed(`<Inspection threw (${formatValue(ctx, error, depth)})>`);
  } finally {
    ctx.indentation -= 2;
  }
}

function propertyName(ctx, key, enumerable) {
  if (typeof key === 'symbol') {
    const name = ctx.stylize(text.escapeControls(Symbol.prototype.toString.call(key)), 'symbol');
    return enumerable ? name : `[${name}]`;
  }
  if (key === '__proto__') return "['__proto__']";
  if (/^[A-Za-z_]\w*$/.test(key)) return enumerable ? ctx.stylize(key, 'name') : `[${key}]`;
  const name = ctx.stylize(text.quote(key), 'string');
  return enumerable ? name : `[${name}]`;
}

// An inherited property has no own descriptor.
function propertyDescriptor(object, key) {
  return Object.getOwnPropertyDescriptor(object, key) ??
    { configurable: true, enumerable: true, value: object[key] };
}

// Getters are called on `receiver`, which differs from `object` if that is a prototype.
function formatProperty(
  ctx, object, depth, key, type, descriptor = propertyDescriptor(object, key), receiver = object,
) {
  // With `compact: true`, a long value starts on a line of its own.
  const isCompact = ctx.compact === true && type === OBJECT;
  const indentation = isCompact ? 3 : 2;
  let shown;
  if (descriptor.value === undefined) {
    shown = formatAccessor(ctx, descriptor, receiver, depth);
  } else {
    ctx.indentation += indentation;
    shown = formatValue(ctx, descriptor.value, depth);
    ctx.indentation -= indentation;
  }
  if (type === ARRAY_ITEM) return shown;
  const isLong = isCompact && descriptor.value !== undefined && ctx.breakLength < getStringWidth(shown, ctx.colors);
  const gap = isLong ? `\n${' '.repeat(ctx.indentation + indentation)}` : ' ';
  return propertyName(ctx, key, descriptor.enumerable !== false) + (gap === ' ' ? ': ' : `:${gap}`) + shown;
}

// A property without a value: an accessor, or undefined.
function formatAccessor(ctx, descriptor, receiver, depth) {
  if (descriptor.get !== undefined) return formatGetter(ctx, descriptor, receiver, depth);
  return descriptor.set === undefined ? ctx.stylize('undefined', 'undefined') : ctx.stylize('[Setter]', 'special');
}

contents.connect({ formatValue, formatProperty, inspect });

inspect.custom = customInspectSymbol;
Object.defineProperty(inspect, 'defaultOptions', {
  get: () => defaultOptions,
  set(options) {
    require('internal/validators').validateObject(options, 'options');
    Object.assign(defaultOptions, options);
  },
});

inspect.colors = createColors();
inspect.styles = createStyles();

module.exports = { customInspectSymbol, getStringWidth, inspect, stripVTControlCharacters, types };
