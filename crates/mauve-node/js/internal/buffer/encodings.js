// The encodings of Buffer: text to bytes, bytes to text, and the byte length of
// text. The binding does the work, except for lone surrogates and invalid base64.

const natives = binding('buffer');
const { codes } = require('internal/errors');

const CHUNK = 8192;
const { toBase64, toHex } = Uint8Array.prototype;

const wellFormed = (text) => (text.isWellFormed() ? text : text.toWellFormed());

function unitsToText(units) {
  let text = '';
  for (let i = 0; i < units.length; i += CHUNK) {
    text += String.fromCharCode.apply(null, units.subarray(i, i + CHUNK));
  }
  return text;
}

function decodeUtf16(bytes, start, end) {
  const text = natives.utf16Decode(bytes, start, end);
  if (typeof text === 'string') return text;
  const units = new Uint16Array((end - start) >> 1);
  for (let i = 0; i < units.length; i++) units[i] = bytes[start + 2 * i] | (bytes[start + 2 * i + 1] << 8);
  return unitsToText(units);
}

function encodeUtf16(text) {
  if (text.isWellFormed()) return natives.utf16Encode(text);
  const bytes = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 * i] = unit;
    bytes[2 * i + 1] = unit >> 8;
  }
  return bytes;
}

function encodeLatin1(text) {
  if (text.isWellFormed()) return natives.latin1Encode(text);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Decoding ends at the first pair that is not hexadecimal.
function encodeHex(text) {
  if (text.length % 2 !== 0) text = text.slice(0, -1);
  try {
    return Uint8Array.fromHex(text);
  } catch {
    let end = 0;
    while (end < text.length && /^[0-9a-fA-F]{2}$/.test(text.slice(end, end + 2))) end += 2;
    return Uint8Array.fromHex(text.slice(0, end));
  }
}

// Accepts both alphabets, skips other characters, ends at "=", and drops a
// single trailing character.
function encodeBase64(text) {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    const padding = text.indexOf('=');
    if (padding !== -1) text = text.slice(0, padding);
    text = text.replace(/[^A-Za-z0-9+/_-]+/g, '').replaceAll('-', '+').replaceAll('_', '/');
    if (text.length % 4 === 1) text = text.slice(0, -1);
    return Uint8Array.fromBase64(text);
  }
}

function base64Length(text) {
  let length = text.length;
  if (text.charCodeAt(length - 1) === 61) length -= 1;
  if (length > 1 && text.charCodeAt(length - 1) === 61) length -= 1;
  return (length * 3) >>> 2;
}

const slice = (bytes, start, end) => (start === 0 && end === bytes.length ?
  bytes : new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start));

// The longest string of Node.
const MAX_STRING_LENGTH = 0x1fffffe8;

// Throws if the text of the bytes would be too long. Returns `end`.
function checkEnd(start, end, charactersPerByte = 1) {
  if ((end - start) * charactersPerByte > MAX_STRING_LENGTH) throw new codes.ERR_STRING_TOO_LONG();
  return end;
}

const utf8 = {
  name: 'utf8',
  toBytes: (text) => natives.utf8Encode(wellFormed(text)),
  toText: (bytes, start, end) => natives.utf8Decode(bytes, start, checkEnd(start, end)),
  byteLength: (text) => natives.utf8Length(wellFormed(text)),
};
const utf16 = {
  name: 'utf16le',
  toBytes: encodeUtf16,
  toText: decodeUtf16,
  byteLength: (text) => text.length * 2,
};
const latin1 = {
  name: 'latin1',
  toBytes: encodeLatin1,
  toText: (bytes, start, end) => natives.latin1Decode(bytes, start, checkEnd(start, end)),
  byteLength: (text) => text.length,
};
const ascii = {
  name: 'ascii',
  toBytes: encodeLatin1,
  toText: (bytes, start, end) => natives.asciiDecode(bytes, start, checkEnd(start, end)),
  byteLength: (text) => text.length,
};
const base64 = {
  name: 'base64',
  toBytes: encodeBase64,
  toText: (bytes, start, end) => toBase64.call(slice(bytes, start, checkEnd(start, end, 4 / 3))),
  byteLength: base64Length,
};
const base64url = {
  name: 'base64url',
  toBytes: encodeBase64,
  toText: (bytes, start, end) => toBase64.call(slice(bytes, start, end), { alphabet: 'base64url', omitPadding: true }),
  byteLength: base64Length,
};
const hex = {
  name: 'hex',
  toBytes: encodeHex,
  toText: (bytes, start, end) => toHex.call(slice(bytes, start, checkEnd(start, end, 2))),
  byteLength: (text) => text.length >>> 1,
};

const byName = new Map(Object.entries({
  'utf8': utf8,
  'utf-8': utf8,
  'ucs2': utf16,
  'ucs-2': utf16,
  'utf16le': utf16,
  'utf-16le': utf16,
  'latin1': latin1,
  'binary': latin1,
  ascii,
  base64,
  base64url,
  hex,
}));

// The encoding of a name in any case, or undefined.
function find(name) {
  return byName.get(name) ?? byName.get(`${name}`.toLowerCase());
}

// As `find`, with UTF-8 for no name and an error for an unknown one.
function get(name) {
  if (name === undefined || name === null || name === '') return utf8;
  const encoding = find(name);
  if (encoding === undefined) throw new codes.ERR_UNKNOWN_ENCODING(name);
  return encoding;
}

module.exports = { find, get, utf8, latin1 };
