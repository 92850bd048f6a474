// The encodings of Buffer: text to bytes, bytes to text, and the byte length of text.

const natives = binding('buffer');
const { codes } = require('internal/errors');

const { toBase64, toHex } = Uint8Array.prototype;

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
  toBytes: natives.utf8Encode,
  toText: (bytes, start, end) => natives.utf8Decode(bytes, start, checkEnd(start, end)),
  byteLength: natives.utf8Length,
};
const utf16 = {
  name: 'utf16le',
  toBytes: natives.utf16Encode,
  toText: natives.utf16Decode,
  byteLength: (text) => text.length * 2,
};
const latin1 = {
  name: 'latin1',
  toBytes: natives.latin1Encode,
  toText: (bytes, start, end) => natives.latin1Decode(bytes, start, checkEnd(start, end)),
  byteLength: (text) => text.length,
};
const ascii = {
  name: 'ascii',
  toBytes: natives.latin1Encode,
  toText: (bytes, start, end) => natives.asciiDecode(bytes, start, checkEnd(start, end)),
  byteLength: (text) => text.length,
};
const base64 = {
  name: 'base64',
  toBytes: natives.base64Encode,
  toText: (bytes, start, end) => toBase64.call(slice(bytes, start, checkEnd(start, end, 4 / 3))),
  byteLength: base64Length,
};
const base64url = {
  name: 'base64url',
  toBytes: natives.base64Encode,
  toText: (bytes, start, end) => toBase64.call(slice(bytes, start, end), { alphabet: 'base64url', omitPadding: true }),
  byteLength: base64Length,
};
const hex = {
  name: 'hex',
  toBytes: natives.hexEncode,
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
