// How util.inspect formats primitives: quoted strings, numbers with separators.
// Control characters, the apostrophe, the backslash and lone surrogates.
const NEEDS_ESCAPE = /[\0-\x1f'\\\x7f-\x9f\p{Surrogate}]/u;
const ESCAPE_ALL = new RegExp(NEEDS_ESCAPE.source, 'gu');
const NAMED = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 92: '\\\\' };

function escapeCharacter(char) {
  const code = char.charCodeAt(0);
  if (NAMED[code] !== undefined) return NAMED[code];
  if (code === 39) return "\\'";
  if (code > 255) return `\\u${code.toString(16)}`;
  return `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
}

// Quotes a string the way that needs the fewest backslashes.
function quote(text) {
  let mark = "'";
  if (text.includes("'")) {
    if (!text.includes('"')) mark = '"';
    else if (!text.includes('`') && !text.includes('${')) mark = '`';
  }
  if (!NEEDS_ESCAPE.test(text)) return `${mark}${text}${mark}`;
  const keepApostrophe = mark !== "'";
  const body = text.replace(ESCAPE_ALL, (char) => (
    keepApostrophe && char === "'" ? char : escapeCharacter(char)));
  return `${mark}${body}${mark}`;
}

function escapeControls(text) { return text.replace(ESCAPE_ALL, (char) => (char === "'" ? char : escapeCharacter(char))); }
function groupFromRight(digits) { return digits.replace(/\B(?=(\d{3})+(?!\d))/g, '_'); }
function groupFromLeft(digits) { return digits.replace(/(\d{3})(?=\d)/g, '$1_'); }

function formatNumber(stylize, number, separators) {
  const text = String(number);
  if (Object.is(number, -0)) return stylize('-0', 'number');
  if (!separators || !Number.isFinite(number) || text.includes('e')) return stylize(text, 'number');
  const [whole, fraction] = text.split('.');
  const grouped = fraction === undefined ?
    groupFromRight(whole) : `${groupFromRight(whole)}.${groupFromLeft(fraction)}`;
  return stylize(grouped, 'number');
}

function formatBigInt(stylize, bigint, separators) {
  const text = String(bigint);
  return stylize(`${separators ? groupFromRight(text) : text}n`, 'bigint');
}

const plural = (count) => (count > 1 ? 's' : '');

// A long string with line breaks is formatted as a sum of its lines.
function formatString(ctx, stylize, value) {
  const cut = value.length - ctx.maxStringLength;
  const shown = cut > 0 ? value.slice(0, ctx.maxStringLength) : value;
  const trailer = cut > 0 ? `... ${cut} more character${plural(cut)}` : '';
  const quoted = (part) => stylize(quote(part), 'string');
  const isLong = shown.length > 16 && shown.length > ctx.breakLength - ctx.indentation - 4;
  if (ctx.compact === true || !isLong) return quoted(shown) + trailer;
  const separator = ` +\n${' '.repeat(ctx.indentation + 2)}`;
  return shown.split(/(?<=\n)/).map(quoted).join(separator) + trailer;
}

function formatPrimitive(ctx, stylize, value) {
  switch (typeof value) {
    case 'string': return formatString(ctx, stylize, value);
    case 'number': return formatNumber(stylize, value, ctx.numericSeparator);
    case 'bigint': return formatBigInt(stylize, value, ctx.numericSeparator);
    case 'symbol': return stylize(Symbol.prototype.toString.call(value), 'symbol');
    default: return stylize(String(value), typeof value);
  }
}

module.exports = { escapeControls, formatBigInt, formatNumber, formatPrimitive, plural, quote };
