// The WHATWG class URLSearchParams: a list of name-value pairs.
const { codes } = require('internal/errors');
const { customInspectSymbol, defineWebClass } = require('internal/util/web_class');
const { validateFunction } = require('internal/validators');
const natives = binding('url');
const usv = (value) => `${value}`.toWellFormed();

function parse(search) {
  const list = natives.parseQuery(search[0] === '?' ? search.slice(1) : search);
  return Array.from({ length: list.length / 2 }, (_, index) => list.slice(2 * index, 2 * index + 2));
}

function fromIterable(init) {
  if (typeof init[Symbol.iterator] !== 'function') throw new codes.ERR_ARG_NOT_ITERABLE('Query pairs');
  const list = [];
  for (const pair of init) {
    const isPair = pair !== null && (typeof pair === 'object' || typeof pair === 'function') &&
      typeof pair[Symbol.iterator] === 'function';
    const entry = isPair ? [...pair] : [];
    if (entry.length !== 2) throw new codes.ERR_INVALID_TUPLE('Each query pair', '[name, value]');
    list.push([usv(entry[0]), usv(entry[1])]);
  }
  return list;
}

function fromRecord(init) {
  const values = new Map();
  for (const key of Reflect.ownKeys(init)) {
    if (Object.prototype.propertyIsEnumerable.call(init, key)) values.set(usv(key), usv(init[key]));
  }
  return [...values];
}

// Checks `this` and the number of arguments of a method. Returns them as strings; optional ones may be undefined.
let check;

class URLSearchParams {
  #list = [];
  // Called after each change; set by the URL that owns these parameters.
  #changed;

  static {
    check = (params, args = [], ...names) => {
      if (params === null || typeof params !== 'object' || !(#list in params)) throw new codes.ERR_INVALID_THIS('URLSearchParams');
      if (args.length < names.length) throw new codes.ERR_MISSING_ARGS(...names);
      return [...args].slice(0, 2).map((value, i) => (i < names.length || value !== undefined ? usv(value) : undefined));
    };
  }

  constructor(init = undefined) {
    if (init === undefined) return;
    if ((typeof init === 'object' && init !== null) || typeof init === 'function') {
      const iterate = init[Symbol.iterator];
      if (iterate === this[Symbol.iterator] && init instanceof URLSearchParams) {
        this.#list = init.#list.map(([name, value]) => [name, value]);
      } else {
        this.#list = iterate === undefined || iterate === null ? fromRecord(init) : fromIterable(init);
      }
      return;
    }
    this.#list = parse(usv(init));
  }

  // For URL: the parameters of a search string, reporting changes to `changed`.
  static _attach(search, changed) {
    const params = new URLSearchParams(search);
    params.#changed = changed;
    return params;
  }

  static _replace(params, search) { params.#list = parse(search); }

  get size() {
    check(this);
    return this.#list.length;
  }

  append(name, value) {
    this.#list.push(check(this, arguments, 'name', 'value'));
    this.#changed?.();
  }

  delete(name, value = undefined) {
    [name, value] = check(this, arguments, 'name');
    this.#list = this.#list.filter(([key, current]) => key !== name || (value !== undefined && current !== value));
    this.#changed?.();
  }

  get(name) {
    [name] = check(this, arguments, 'name');
    return this.#list.find(([key]) => key === name)?.[1] ?? null;
  }

  getAll(name) {
    [name] = check(this, arguments, 'name');
    return this.#list.filter(([key]) => key === name).map(([, value]) => value);
  }

  has(name, value = undefined) {
    [name, value] = check(this, arguments, 'name');
    return this.#list.some(([key, current]) => key === name && (value === undefined || current === value));
  }

  set(name, value) {
    [name, value] = check(this, arguments, 'name', 'value');
    const first = this.#list.find(([key]) => key === name);
    if (first === undefined) {
      this.#list.push([name, value]);
    } else {
      first[1] = value;
      this.#list = this.#list.filter((pair) => pair === first || pair[0] !== name);
    }
    this.#changed?.();
  }

  sort() {
    check(this);
    this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#changed?.();
  }

  entries() {
    check(this);
    return iterator(() => this.#list, ([name, value]) => [name, value]);
  }

  forEach(callback, receiver = undefined) {
    check(this);
    validateFunction(callback, 'callback');
    for (let i = 0; i < this.#list.length; i++) {
      const [name, value] = this.#list[i];
      Reflect.apply(callback, receiver, [value, name, this]);
    }
  }

  keys() {
    check(this);
    return iterator(() => this.#list, ([name]) => name);
  }

  values() {
    check(this);
    return iterator(() => this.#list, ([, value]) => value);
  }

  toString() {
    check(this);
    return natives.formatQuery(this.#list.flat());
  }

  [customInspectSymbol](depth, options, inspect) {
    check(this);
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
    const shown = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    const output = this.#list.map(([name, value]) => `${inspect(name, shown)} => ${inspect(value, shown)}`);
    return braced(this.constructor.name, output, options);
  }
}

function braced(name, output, options) {
  const { stripVTControlCharacters } = require('internal/util/inspect');
  const length = output.reduce((sum, entry) => sum + stripVTControlCharacters(entry).length + 2, -2);
  if (length > options.breakLength) return `${name} {\n  ${output.join(',\n  ')} }`;
  return output.length > 0 ? `${name} { ${output.join(', ')} }` : `${name} {}`;
}

const iteratorStates = new WeakMap();
const iteratorPrototype = Object.create(Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), {
  [Symbol.toStringTag]: { value: 'URLSearchParams Iterator', configurable: true },
  next: {
    value: function next() {
      const state = iteratorStates.get(this);
      if (state === undefined) throw new codes.ERR_INVALID_THIS('URLSearchParamsIterator');
      const list = state.list();
      if (state.index >= list.length) return { value: undefined, done: true };
      return { value: state.pick(list[state.index++]), done: false };
    },
    writable: true,
    enumerable: true,
    configurable: true,
  },
  [customInspectSymbol]: {
    value(depth, options, inspect) {
      if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
      const state = iteratorStates.get(this);
      const output = state.list().slice(state.index).map((pair) => inspect(state.pick(pair), options));
      return output.length > 0 ? braced('URLSearchParams Iterator', output, options) : 'URLSearchParams Iterator {  }';
    },
    enumerable: false,
  },
});

function iterator(list, pick) {
  const result = Object.create(iteratorPrototype);
  iteratorStates.set(result, { list, pick, index: 0 });
  return result;
}

Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, { value: URLSearchParams.prototype.entries, writable: true, configurable: true });
defineWebClass(URLSearchParams, [
  'append', 'delete', 'get', 'getAll', 'has', 'set', 'size', 'sort', 'entries', 'forEach', 'keys', 'values', 'toString',
]);
for (const key of ['_attach', '_replace']) Object.defineProperty(URLSearchParams, key, { enumerable: false });

module.exports = { URLSearchParams };
