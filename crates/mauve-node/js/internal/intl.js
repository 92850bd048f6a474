// Intl: the order of strings in all languages, characters as readers see them, and numbers and dates of American
// English. What would be wrong is refused.
const { codes } = require('internal/errors');
const native = binding('intl');
const DEFAULT = 'en-US';

function localesOf(list) {
  if (list === undefined) return [];
  return (typeof list === 'string' ? [list] : [...list]).map((name) => {
    if (typeof name !== 'string' && typeof name !== 'object') throw new TypeError('Language ID should be string or object.');
    return native.canonical(`${name}`) ?? (() => { throw new RangeError(`Incorrect locale information provided`); })();
  });
}

function choice(options, name, allowed, initial) {
  const value = options?.[name];
  if (value === undefined) return initial;
  if (!allowed.includes(`${value}`)) throw new RangeError(`Value ${value} out of range for Intl options property ${name}`);
  return `${value}`;
}

function wholeNumber(options, name, min, max) {
  const value = options?.[name];
  if (value === undefined) return undefined;
  if (!(value >= min && value <= max)) throw new RangeError(`${name} value is out of range.`);
  return Math.floor(value);
}

const refuse = (what) => { throw new codes.ERR_MAUVE_NOT_IMPLEMENTED(what); };

// Refuses languages and options that would change a result of American English.
function american(name, locales, options, known) {
  const [locale = DEFAULT] = localesOf(locales);
  if (locale !== 'en' && locale !== DEFAULT) refuse(`${name} for ${locale}`);
  for (const [key, value] of Object.entries(options ?? {})) {
    if (value !== undefined && !known(key, value)) refuse(`the option ${key} of ${name}`);
  }
  return locale;
}

class Base {
  get [Symbol.toStringTag]() { return `Intl.${this.constructor.name}`; }
  static supportedLocalesOf(locales) { return localesOf(locales); }
}

function compareSettings(options) {
  const sensitivity = choice(options, 'sensitivity', ['base', 'accent', 'case', 'variant'], 'variant');
  const caseFirst = choice(options, 'caseFirst', ['upper', 'lower', 'false'], 'false');
  const flags = ['numeric', 'ignorePunctuation'].filter((name) => options?.[name]);
  return { sensitivity, caseFirst, numeric: flags.includes('numeric'), ignorePunctuation: flags.includes('ignorePunctuation'),
    words: [sensitivity, caseFirst, ...flags].join(' ') };
}

class Collator extends Base {
  #locale;
  #settings;

  constructor(locales = undefined, options = undefined) {
    super();
    [this.#locale = DEFAULT] = localesOf(locales);
    this.#settings = { usage: choice(options, 'usage', ['sort', 'search'], 'sort'), ...compareSettings(options) };
    const { words } = this.#settings;
    this.compare = (a, b) => native.compare(`${a}`, `${b}`, this.#locale, words);
    Object.defineProperty(this, 'compare', { enumerable: false });
  }

  resolvedOptions() {
    const { usage, sensitivity, ignorePunctuation, numeric, caseFirst } = this.#settings;
    return { locale: this.#locale, usage, sensitivity, ignorePunctuation, collation: 'default', numeric, caseFirst };
  }
}

class Segmenter extends Base {
  #locale;

  constructor(locales = undefined, options = undefined) {
    super();
    [this.#locale = DEFAULT] = localesOf(locales);
    const granularity = choice(options, 'granularity', ['grapheme', 'word', 'sentence'], 'grapheme');
    if (granularity !== 'grapheme') refuse(`Intl.Segmenter for ${granularity}s`);
  }

  segment(value) {
    const input = `${value}`;
    // A lone surrogate is a character of its own, and as long as its replacement.
    const lengths = native.graphemes(input.toWellFormed());
    const segments = function* () {
      let index = 0;
      for (const length of lengths) {
        yield { segment: input.slice(index, index + length), index, input };
        index += length;
      }
    };
    return {
      containing: (at = 0) => (at < 0 ? undefined : segments().find(({ segment, index }) => index + segment.length > at)),
      [Symbol.iterator]: segments,
    };
  }

  resolvedOptions() { return { locale: this.#locale, granularity: 'grapheme' }; }
}

const DIGITS = ['minimumFractionDigits', 'maximumFractionDigits'];
const isPlainNumber = (key, value) => DIGITS.includes(key) || (key === 'style' && /^(decimal|percent)$/.test(value)) ||
  (key === 'useGrouping' && typeof value === 'boolean') || (key === 'notation' && value === 'standard');

class NumberFormat extends Base {
  #settings;

  constructor(locales = undefined, options = undefined) {
    super();
    const locale = american('Intl.NumberFormat', locales, options, isPlainNumber);
    const [least, most] = DIGITS.map((name) => wholeNumber(options, name, 0, 100));
    const { style = 'decimal', useGrouping = true } = options ?? {};
    const usual = style === 'percent' ? 0 : 3;
    if (least > most) throw new RangeError('maximumFractionDigits value is out of range.');
    this.#settings = { locale, style, useGrouping, min: least ?? Math.min(0, most ?? 0), max: most ?? Math.max(least ?? 0, usual) };
    this.format = (value) => this.#format(typeof value === 'bigint' ? value : Number(value));
    Object.defineProperty(this, 'format', { enumerable: false });
  }

  #format(value) {
    const { style, useGrouping, min, max } = this.#settings;
    const isNegative = value < 0 || Object.is(value, -0);
    const size = value < 0 ? -value : value;
    return native.number(typeof size === 'bigint' ? `${size}` : size.toExponential(), isNegative, style === 'percent', min, max, useGrouping);
  }

  resolvedOptions() {
    const { locale, style, useGrouping, min, max } = this.#settings;
    return { locale, numberingSystem: 'latn', style, minimumIntegerDigits: 1, minimumFractionDigits: min, maximumFractionDigits: max,
      useGrouping: useGrouping ? 'auto' : false, notation: 'standard', signDisplay: 'auto', roundingIncrement: 1,
      roundingMode: 'halfExpand', roundingPriority: 'auto', trailingZeroDisplay: 'auto' };
  }
}

const isUtc = (zone) => /^(utc|etc\/utc|gmt|etc\/gmt|z)$/i.test(zone);
const isPlainDate = (key, value) => (key === 'timeZone' && (isUtc(value) || value === native.zone())) || (key === 'hour12' && typeof value === 'boolean') ||
  (key === 'calendar' && value === 'gregory') || (key === 'numberingSystem' && value === 'latn');

class DateTimeFormat extends Base {
  #locale;
  #zone;
  #hour12;
  #parts;

  constructor(locales = undefined, options = undefined, parts = 'date') {
    super();
    this.#locale = american('Intl.DateTimeFormat', locales, options, isPlainDate);
    this.#zone = options?.timeZone ?? native.zone();
    this.#hour12 = options?.hour12 ?? true;
    this.#parts = parts;
    this.format = (date = Date.now()) => this.#format(new Date(date));
    Object.defineProperty(this, 'format', { enumerable: false });
  }

  #format(date) {
    if (Number.isNaN(date.getTime())) throw new RangeError('Invalid time value');
    const fields = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds'].map((name) => date[`get${isUtc(this.#zone) ? 'UTC' : ''}${name}`]());
    if (fields[0] < 1) refuse('Intl.DateTimeFormat for years before Christ');
    return native.date(fields, this.#hour12, this.#parts);
  }

  resolvedOptions() {
    const fields = this.#parts === 'date' ? { year: 'numeric', month: 'numeric', day: 'numeric' } : {};
    const timeZone = isUtc(this.#zone) ? 'UTC' : this.#zone;
    return { locale: this.#locale, calendar: 'gregory', numberingSystem: 'latn', timeZone, ...fields };
  }
}

// Intl.Collator() and others may be called without `new`.
function callable(Class) {
  const make = { [Class.name](locales, options) { return new Class(locales, options); } }[Class.name];
  const Callable = new Proxy(Class, { apply: (target, self, args) => make(...args) });
  Object.defineProperty(Class.prototype, 'constructor', { value: Callable });
  return Callable;
}

for (const Class of [Collator, Segmenter, NumberFormat, DateTimeFormat]) Object.defineProperty(Class, 'length', { value: 0 });

const namespace = require('internal/stand_in')('Intl', { Segmenter });
const own = { Collator: callable(Collator), NumberFormat: callable(NumberFormat), DateTimeFormat: callable(DateTimeFormat), getCanonicalLocales: (list) => [...new Set(localesOf(list))] };
for (const [name, value] of Object.entries({ ...own, Segmenter })) Object.defineProperty(namespace, name, { value, enumerable: false });
Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Intl', configurable: true });

const dateText = (parts) => (date, locales, options) => (Number.isNaN(Date.prototype.getTime.call(date)) ? 'Invalid Date'
  : new DateTimeFormat(locales, options, parts).format(date));

module.exports = {
  Intl: namespace,
  localeCompare(text, other, locales, options) {
    if (text === undefined || text === null) throw new TypeError('String.prototype.localeCompare called on null or undefined');
    return native.compare(`${text}`, `${other}`, localesOf(locales)[0] ?? DEFAULT, compareSettings(options).words);
  },
  NumberText: (value, locales, options) => new NumberFormat(locales, options).format(Number.prototype.valueOf.call(value)),
  BigIntText: (value, locales, options) => new NumberFormat(locales, options).format(BigInt.prototype.valueOf.call(value)),
  DateText: dateText('date time'),
  toLocaleDateString: dateText('date'),
  toLocaleTimeString: dateText('time'),
};
