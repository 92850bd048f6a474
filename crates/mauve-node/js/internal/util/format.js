// util.format and util.formatWithOptions: printf-like directives. The remaining
// arguments are inspected and joined by spaces.
// Loaded on first use: printing strings does not need it.
let inspectFunction;
const inspect = (value, options) => (inspectFunction ??= require('internal/util/inspect').inspect)(value, options);
const primitives = () => require('internal/util/inspect_primitives');
const plain = (text) => text;

// The defaults can have changed only if `inspect` is loaded.
const hasSeparators = (options) => options?.numericSeparator ?? inspectFunction?.defaultOptions.numericSeparator;

function number(value, options) {
  if (hasSeparators(options)) return primitives().formatNumber(plain, value, true);
  return Object.is(value, -0) ? '-0' : `${value}`;
}

function bigint(value, options) { return hasSeparators(options) ? primitives().formatBigInt(plain, value, true) : `${value}n`; }

// Whether the script defines how the value converts to a string. %s inspects
// all other objects, for which String(value) is only "[object Foo]".
function hasCustomString(value) {
  const proxy = binding('util').proxyDetails(value);
  if (proxy != null) {
    if (proxy[0] === null) return false;
    return hasCustomString(proxy[0]);
  }
  if (typeof value[Symbol.toPrimitive] === 'function') return true;
  if (!('toString' in value)) return false;
  if (typeof value.toString !== 'function') return false;
  if (Object.hasOwn(value, 'toString') || Object.hasOwn(value, Symbol.toPrimitive)) return true;
  // The prototype that defines toString must not be that of a built-in class.
  let at = value;
  do {
    at = Object.getPrototypeOf(at);
  } while (at !== null && !Object.hasOwn(at, 'toString'));
  const descriptor = at === null ? undefined : Object.getOwnPropertyDescriptor(at, 'constructor');
  if (descriptor === undefined || typeof descriptor.value !== 'function') return true;
  return globalThis[descriptor.value.name] !== descriptor.value;
}

function asString(value, options) {
  if (typeof value === 'number') return number(value, options);
  if (typeof value === 'bigint') return bigint(value, options);
  if (typeof value !== 'object' || value === null || hasCustomString(value)) return String(value);
  return inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
}

function asJson(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (/circular/i.test(error.message)) return '[Circular]';
    throw error;
  }
}

function asNumber(value, parse, options) {
  if (typeof value === 'bigint' && parse !== Number.parseFloat) return bigint(value, options);
  if (typeof value === 'symbol') return number(NaN, options);
  return number(parse(value), options);
}

const directives = {
  s: asString,
  j: asJson,
  d: (value, options) => asNumber(value, Number, options),
  i: (value, options) => asNumber(value, Number.parseInt, options),
  f: (value, options) => asNumber(value, Number.parseFloat, options),
  O: (value, options) => inspect(value, options),
  o: (value, options) => inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 }),
  c: () => '',
};

// Replaces the directives of `template`. Returns the text and the number of
// values used, or undefined if there is no directive.
function fill(options, template, values) {
  let used = 0;
  let result = '';
  let copied = 0;
  for (let at = template.indexOf('%'); at !== -1 && at < template.length - 1; at = template.indexOf('%', at)) {
    const letter = template[at + 1];
    if (letter === '%') {
      result += template.slice(copied, at + 1);
      copied = at + 2;
    } else if (used < values.length && Object.hasOwn(directives, letter)) {
      result += template.slice(copied, at) + directives[letter](values[used], options);
      used += 1;
      copied = at + 2;
    }
    at += 2;
  }
  if (copied === 0) return undefined;
  return { text: result + template.slice(copied), used };
}

function formatWithOptionsInternal(options, args) {
  if (args.length === 0) return '';
  const first = args[0];
  let next = 0;
  let result = '';
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    const filled = fill(options, first, args.slice(1));
    if (filled !== undefined) {
      result = filled.text;
      next = filled.used + 1;
    }
  }
  for (let i = next; i < args.length; i++) {
    const value = args[i];
    if (i > 0) result += ' ';
    if (typeof value === 'string') result += value;
    else if (typeof value === 'number' && options === undefined) result += number(value);
    else result += inspect(value, options);
  }
  return result;
}

function format(...args) { return formatWithOptionsInternal(undefined, args); }

function formatWithOptions(options, ...args) {
  require('internal/validators').validateObject(options, 'inspectOptions', { allowArray: true, allowFunction: true });
  return formatWithOptionsInternal(options, args);
}

module.exports = { format, formatWithOptions, formatWithOptionsInternal };
