// The module 'querystring': parses and formats URL query strings.
const { codes } = require('internal/errors');

// biome-ignore lint/suspicious/noShadowRestrictedNames: the public name in Node
function escape(value) {
  let text;
  if (typeof value === 'string') text = value;
  else if (typeof value === 'object') text = String(value);
  else text = `${value}`;
  if (text.isWellFormed()) return encodeURIComponent(text);
  // As in Node, a surrogate forms a pair with whatever follows it.
  const pairs = text.replace(/[\ud800-\udfff]([\s\S])?/g, (pair, next) => {
    if (next === undefined) throw new codes.ERR_INVALID_URI();
    return String.fromCodePoint(0x10000 + (((pair.charCodeAt(0) & 0x3ff) << 10) | (next.charCodeAt(0) & 0x3ff)));
  });
  return encodeURIComponent(pairs);
}

// Decodes percent-encoded bytes. Of other characters it keeps the low byte, as in Node.
function unescapeBuffer(text, decodeSpaces) {
  return require('buffer').Buffer.from(binding('buffer').unescape(`${text}`, Boolean(decodeSpaces)).buffer);
}

// biome-ignore lint/suspicious/noShadowRestrictedNames: the public name in Node
function unescape(text, decodeSpaces) {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBuffer(text, decodeSpaces).toString();
  }
}

function primitiveText(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`;
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return '';
}

function stringify(object, separator, equals, options) {
  const sep = separator || '&';
  const eq = equals || '=';
  const encode = typeof options?.encodeURIComponent === 'function' ? options.encodeURIComponent : querystring.escape;
  if (object === null || typeof object !== 'object') return '';
  const fields = [];
  for (const key of Object.keys(object)) {
    const name = encode(primitiveText(key));
    const value = object[key];
    if (Array.isArray(value)) {
      for (const item of value) fields.push(`${name}${eq}${encode(primitiveText(item))}`);
    } else {
      fields.push(`${name}${eq}${encode(primitiveText(value))}`);
    }
  }
  return fields.join(sep);
}

function decodePart(text, decode) {
  const spaced = text.replaceAll('+', decode === querystring.unescape ? ' ' : '%20');
  if (decode === querystring.unescape && !/%[0-9a-f]{2}/i.test(spaced)) return spaced;
  try {
    return decode(spaced);
  } catch {
    return querystring.unescape(spaced, true);
  }
}

function parse(text, separator, equals, options) {
  const result = Object.create(null);
  if (typeof text !== 'string' || text.length === 0) return result;
  const sep = separator ? `${separator}` : '&';
  const eq = equals ? `${equals}` : '=';
  const maxKeys = typeof options?.maxKeys === 'number' ? options.maxKeys : 1000;
  const decode = typeof options?.decodeURIComponent === 'function' ? options.decodeURIComponent : querystring.unescape;
  let count = 0;
  for (const part of text.split(sep)) {
    if (part === '') continue;
    if (maxKeys > 0 && count++ >= maxKeys) break;
    const at = part.indexOf(eq);
    const key = decodePart(at === -1 ? part : part.slice(0, at), decode);
    const value = at === -1 ? '' : decodePart(part.slice(at + eq.length), decode);
    if (!(key in result)) result[key] = value;
    else if (Array.isArray(result[key])) result[key].push(value);
    else result[key] = [result[key], value];
  }
  return result;
}

const querystring = { unescapeBuffer, unescape, escape, stringify, encode: stringify, parse, decode: parse };

module.exports = querystring;
