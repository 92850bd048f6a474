// The module 'punycode' (RFC 3492): Unicode domain names in ASCII.

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;
const MAX_INT = 2147483647;

function adapt(delta, points, isFirst) {
  delta = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  delta += Math.floor(delta / points);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) delta = Math.floor(delta / (BASE - T_MIN));
  return Math.floor(k + ((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}

const threshold = (k, bias) => Math.min(Math.max(k - bias, T_MIN), T_MAX);

function digitOf(code) {
  if (code >= 0x30 && code < 0x3a) return 26 + (code - 0x30);
  if (code >= 0x41 && code < 0x5b) return code - 0x41;
  if (code >= 0x61 && code < 0x7b) return code - 0x61;
  return BASE;
}

const charOf = (digit) => String.fromCharCode(digit < 26 ? digit + 97 : digit + 22);

function fail(kind) {
  throw new RangeError({
    'overflow': 'Overflow: input needs wider integers to process',
    'not-basic': 'Illegal input >= 0x80 (not a basic code point)',
    'invalid-input': 'Invalid input',
  }[kind]);
}

function decode(input) {
  const output = [];
  const basic = Math.max(input.lastIndexOf('-'), 0);
  for (let i = 0; i < basic; i++) {
    if (input.charCodeAt(i) >= 0x80) fail('not-basic');
    output.push(input.charCodeAt(i));
  }
  let n = INITIAL_N;
  let i = 0;
  let bias = INITIAL_BIAS;
  for (let index = basic > 0 ? basic + 1 : 0; index < input.length;) {
    const before = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      if (index >= input.length) fail('invalid-input');
      const digit = digitOf(input.charCodeAt(index++));
      if (digit >= BASE) fail('invalid-input');
      if (digit > Math.floor((MAX_INT - i) / weight)) fail('overflow');
      i += digit * weight;
      const t = threshold(k, bias);
      if (digit < t) break;
      if (weight > Math.floor(MAX_INT / (BASE - t))) fail('overflow');
      weight *= BASE - t;
    }
    const length = output.length + 1;
    bias = adapt(i - before, length, before === 0);
    if (Math.floor(i / length) > MAX_INT - n) fail('overflow');
    n += Math.floor(i / length);
    i %= length;
    output.splice(i++, 0, n);
  }
  return String.fromCodePoint(...output);
}

function encode(text) {
  const points = ucs2decode(text);
  let output = points.filter((point) => point < 0x80).map((point) => String.fromCharCode(point)).join('');
  const basic = output.length;
  let handled = basic;
  if (basic > 0) output += '-';
  let n = INITIAL_N;
  let delta = 0;
  let bias = INITIAL_BIAS;
  while (handled < points.length) {
    const next = Math.min(...points.filter((point) => point >= n));
    if (next - n > Math.floor((MAX_INT - delta) / (handled + 1))) fail('overflow');
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n && ++delta > MAX_INT) fail('overflow');
      if (point !== n) continue;
      let rest = delta;
      for (let k = BASE; ; k += BASE) {
        const t = threshold(k, bias);
        if (rest < t) break;
        output += charOf(t + ((rest - t) % (BASE - t)));
        rest = Math.floor((rest - t) / (BASE - t));
      }
      output += charOf(rest);
      bias = adapt(delta, handled + 1, handled === basic);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    n += 1;
  }
  return output;
}

function ucs2decode(text) {
  return Array.from(text, (char) => char.codePointAt(0));
}

// Applies `change` to the labels of a domain; the part before "@" stays.
function mapDomain(domain, change) {
  const at = domain.split('@');
  const prefix = at.length > 1 ? `${at[0]}@` : '';
  const host = at.length > 1 ? at[1] : domain;
  return prefix + host.replace(/[\x2E\u3002\uFF0E\uFF61]/g, '.').split('.').map(change).join('.');
}

function labelToASCII(label) {
  return /[^\0-\x7F]/.test(label) ? `xn--${encode(label)}` : label;
}

function labelToUnicode(label) {
  return label.startsWith('xn--') ? decode(label.slice(4).toLowerCase()) : label;
}

module.exports = {
  version: '2.1.0',
  ucs2: { decode: ucs2decode, encode: (points) => String.fromCodePoint(...points) },
  decode,
  encode,
  toASCII: (input) => mapDomain(input, labelToASCII),
  toUnicode: (input) => mapDomain(input, labelToUnicode),
};
