// The module 'punycode' (RFC 3492): Unicode domain names in ASCII.
const native = binding('url');

function decode(input) {
  const basic = input.slice(0, Math.max(input.lastIndexOf('-'), 0));
  if (/[^\0-\x7f]/.test(basic)) throw new RangeError('Illegal input >= 0x80 (not a basic code point)');
  const text = /[^\0-\x7f]/.test(input) ? null : native.punycodeDecode(input);
  if (text == null) throw new RangeError('Invalid input');
  return text;
}

function encode(text) {
  const result = native.punycodeEncode(text);
  if (result == null) throw new RangeError('Overflow: input needs wider integers to process');
  return result;
}

function ucs2decode(text) { return Array.from(text, (char) => char.codePointAt(0)); }

// Applies `change` to the labels of a domain; the part before "@" stays.
function mapDomain(domain, change) {
  const at = domain.split('@');
  const prefix = at.length > 1 ? `${at[0]}@` : '';
  const host = at.length > 1 ? at[1] : domain;
  return prefix + host.replace(/[\x2E\u3002\uFF0E\uFF61]/g, '.').split('.').map(change).join('.');
}

function labelToASCII(label) { return /[^\0-\x7F]/.test(label) ? `xn--${encode(label)}` : label; }
function labelToUnicode(label) { return label.startsWith('xn--') ? decode(label.slice(4).toLowerCase()) : label; }

module.exports = {
  version: '2.1.0',
  ucs2: { decode: ucs2decode, encode: (points) => String.fromCodePoint(...points) },
  decode, encode,
  toASCII: (input) => mapDomain(input, labelToASCII),
  toUnicode: (input) => mapDomain(input, labelToUnicode),
};
