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

const encoding = (name, toBytes, toText, byteLength) => ({ name, toBytes, toText, byteLength });
const lengthOf = (text) => text.length;
const utf8 = encoding('utf8', natives.utf8Encode,
  (bytes, start, end) => natives.utf8Decode(bytes, start, checkEnd(start, end)), natives.utf8Length);
const utf16 = encoding('utf16le', natives.utf16Encode, natives.utf16Decode, (text) => text.length * 2);
const latin1 = encoding('latin1', natives.latin1Encode,
  (bytes, start, end) => natives.latin1Decode(bytes, start, checkEnd(start, end)), lengthOf);
const ascii = encoding('ascii', natives.latin1Encode,
  (bytes, start, end) => natives.asciiDecode(bytes, start, checkEnd(start, end)), lengthOf);
const base64 = encoding('base64', natives.base64Encode,
  (bytes, start, end) => toBase64.call(slice(bytes, start, checkEnd(start, end, 4 / 3))), base64Length);
const base64url = encoding('base64url', natives.base64Encode,
  (bytes, start, end) => toBase64.call(slice(bytes, start, end), { alphabet: 'base64url', omitPadding: true }), base64Length);
const hex = encoding('hex', natives.hexEncode,
  (bytes, start, end) => toHex.call(slice(bytes, start, checkEnd(start, end, 2))), (text) => text.length >>> 1);

// All names of each encoding.
const byName = new Map([
  [utf8, 'utf8', 'utf-8'], [utf16, 'ucs2', 'ucs-2', 'utf16le', 'utf-16le'], [latin1, 'latin1', 'binary'],
  [ascii, 'ascii'], [base64, 'base64'], [base64url, 'base64url'], [hex, 'hex'],
].flatMap(([found, ...names]) => names.map((name) => [name, found])));

// The encoding of a name in any case, or undefined.
function find(name) { return byName.get(name) ?? byName.get(`${name}`.toLowerCase()); }

// As `find`, with UTF-8 for no name and an error for an unknown one.
function get(name) {
  if (name === undefined || name === null || name === '') return utf8;
  const found = find(name);
  if (found === undefined) throw new codes.ERR_UNKNOWN_ENCODING(name);
  return found;
}

module.exports = { find, get, utf8, latin1 };
