// util.inspect: options, the dispatch by kind of value, and properties. What
// each kind contains is in inspect_contents, errors in inspect_error, line
// breaks in inspect_layout, primitives in inspect_text.

const types = require('internal/util/types');
const text = require('internal/util/inspect_text');
const { layOut } = require('internal/util/inspect_layout');
const contents = require('internal/util/inspect_contents');
const { OBJECT, ARRAY_ITEM, ARRAY_EXTRA } = contents;

const customInspectSymbol = Symbol.for('nodejs.util.inspect.custom');

const defaultOptions = Object.seal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

// Once this much text has been made, deeper objects are only named.
const BUDGET = 2 ** 27;

const plain = (string) => string;

function coloured(string, kind) {
  const style = inspect.styles[kind];
  if (style === undefined) return string;
  const codes = inspect.colors[style];
  return codes === undefined ? string : `\u001b[${codes[0]}m${string}\u001b[${codes[1]}m`;
}

function inspect(value, options) {
  const ctx = {
    budget: {},
    indentationLvl: 0,
    seen: [],
    currentDepth: 0,
    stylize: plain,
    circular: undefined,
    userOptions: undefined,
    ...defaultOptions,
  };
  if (arguments.length > 1) {
    if (arguments.length > 2) {
      if (arguments[2] !== undefined) ctx.depth = arguments[2];
      if (arguments.length > 3 && arguments[3] !== undefined) ctx.colors = arguments[3];
    }
    if (typeof options === 'boolean') {
      ctx.showHidden = options;
    } else if (options) {
      for (const key of Object.keys(options)) {
        if (Object.hasOwn(defaultOptions, key) || key === 'stylize') ctx[key] = options[key];
        else ctx.userOptions ??= options;
      }
    }
  }
  if (ctx.colors) ctx.stylize = coloured;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  return formatValue(ctx, value, 0);
}

function userOptions(ctx) {
  const options = { stylize: ctx.stylize };
  for (const key of Object.keys(defaultOptions)) options[key] = ctx[key];
  return { ...options, ...ctx.userOptions };
}

function formatValue(ctx, value, depth, inTypedArray) {
  if (typeof value !== 'object' && typeof value !== 'function') {
    return text.formatPrimitive(ctx, ctx.stylize, value);
  }
  if (value === null) return ctx.stylize('null', 'null');

  const receiver = value;
  const proxy = contents.proxyDetails(value);
  if (proxy !== undefined) {
    if (proxy[0] === null) return ctx.stylize('<Revoked Proxy>', 'special');
    if (ctx.showProxy) return formatProxy(ctx, proxy, depth);
    value = proxy[0];
  }

  if (ctx.customInspect) {
    const custom = value[customInspectSymbol];
    if (typeof custom === 'function' && custom !== inspect &&
        // A prototype object is shown as it is.
        !(value.constructor && value.constructor.prototype === value)) {
      const left = ctx.depth === null ? null : ctx.depth - depth;
      const result = Reflect.apply(custom, receiver, [left, userOptions(ctx), inspect]);
      if (result !== receiver) {
        if (typeof result === 'object') return formatValue(ctx, result, depth);
        return `${result}`.replaceAll('\n', `\n${' '.repeat(ctx.indentationLvl)}`);
      }
    }
  }

  if (ctx.seen.includes(value)) {
    ctx.circular ??= new Map();
    let index = ctx.circular.get(value);
    if (index === undefined) {
      index = ctx.circular.size + 1;
      ctx.circular.set(value, index);
    }
    return ctx.stylize(`[Circular *${index}]`, 'special');
  }
  return formatObject(ctx, value, depth, inTypedArray);
}

function formatProxy(ctx, proxy, depth) {
  if (depth > ctx.depth && ctx.depth !== null) return ctx.stylize('Proxy [Array]', 'special');
  ctx.indentationLvl += 2;
  const output = proxy.map((part) => formatValue(ctx, part, depth + 1));
  ctx.indentationLvl -= 2;
  return layOut(ctx, output, '', ['Proxy [', ']'], true, depth + 1);
}

function formatObject(ctx, value, depth, inTypedArray) {
  const prototypeLines = ctx.showHidden && (depth <= ctx.depth || ctx.depth === null) ? [] : undefined;
  const constructorName = contents.constructorName(value, ctx, depth, prototypeLines);
  const withPrototype = prototypeLines !== undefined && prototypeLines.length > 0 ? prototypeLines : undefined;
  // A tag that is listed as a property is not said twice.
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
  const spent = (ctx.budget[ctx.indentationLvl] || 0) + result.length;
  ctx.budget[ctx.indentationLvl] = spent;
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

function formatGetter(ctx, descriptor, receiver, depth) {
  const label = descriptor.set === undefined ? 'Getter' : 'Getter/Setter';
  const special = (string) => ctx.stylize(string, 'special');
  const wanted = ctx.getters === true || (ctx.getters === 'get' && descriptor.set === undefined) ||
    (ctx.getters === 'set' && descriptor.set !== undefined);
  if (!wanted) return special(`[${label}]`);
  try {
    const got = Reflect.apply(descriptor.get, receiver, []);
    ctx.indentationLvl += 2;
    let shown;
    if (got === null) shown = `${special(`[${label}:`)} ${ctx.stylize('null', 'null')}${special(']')}`;
    else if (typeof got === 'object') shown = `${special(`[${label}]`)} ${formatValue(ctx, got, depth)}`;
    else shown = `${special(`[${label}:`)} ${text.formatPrimitive(ctx, ctx.stylize, got)}${special(']')}`;
    ctx.indentationLvl -= 2;
    return shown;
  } catch (error) {
    return `${special(`[${label}:`)} <Inspection threw (${error.message})>${special(']')}`;
  }
}

function propertyName(ctx, key, enumerable) {
  if (typeof key === 'symbol') {
    return `[${ctx.stylize(text.escapeControls(Symbol.prototype.toString.call(key)), 'symbol')}]`;
  }
  if (key === '__proto__') return "['__proto__']";
  if (!enumerable) return `[${text.escapeControls(key)}]`;
  if (/^[a-zA-Z_][a-zA-Z_0-9]*$/.test(key)) return ctx.stylize(key, 'name');
  return ctx.stylize(text.quote(key), 'string');
}

// `receiver` is what getters are called on, if not the owner of the property.
function formatProperty(ctx, value, depth, key, type, descriptor, receiver = value) {
  descriptor ??= Object.getOwnPropertyDescriptor(value, key) ??
    { value: value[key], configurable: true, enumerable: true };
  let gap = ' ';
  let shown;
  if (descriptor.value !== undefined) {
    const indent = ctx.compact !== true || type !== OBJECT ? 2 : 3;
    ctx.indentationLvl += indent;
    shown = formatValue(ctx, descriptor.value, depth);
    if (indent === 3 && ctx.breakLength < text.getStringWidth(shown, ctx.colors)) {
      gap = `\n${' '.repeat(ctx.indentationLvl)}`;
    }
    ctx.indentationLvl -= indent;
  } else if (descriptor.get !== undefined) {
    shown = formatGetter(ctx, descriptor, receiver, depth);
  } else if (descriptor.set !== undefined) {
    shown = ctx.stylize('[Setter]', 'special');
  } else {
    shown = ctx.stylize('undefined', 'undefined');
  }
  if (type === ARRAY_ITEM) return shown;
  return `${propertyName(ctx, key, descriptor.enumerable !== false)}:${gap}${shown}`;
}

contents.connect({ formatValue, formatProperty, inspect });

inspect.custom = customInspectSymbol;

Object.defineProperty(inspect, 'defaultOptions', {
  get() {
    return defaultOptions;
  },
  set(options) {
    require('internal/validators').validateObject(options, 'options');
    Object.assign(defaultOptions, options);
  },
});

inspect.colors = contents.colors;
inspect.styles = Object.assign(Object.create(null), {
  special: 'cyan',
  number: 'yellow',
  bigint: 'yellow',
  boolean: 'yellow',
  undefined: 'grey',
  null: 'bold',
  string: 'green',
  symbol: 'green',
  date: 'magenta',
  regexp: 'red',
  module: 'underline',
});

module.exports = {
  inspect,
  types,
  customInspectSymbol,
  defaultOptions,
  getStringWidth: text.getStringWidth,
  stripVTControlCharacters: text.stripVTControlCharacters,
};
