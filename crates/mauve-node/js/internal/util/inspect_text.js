// How util.inspect writes primitives: quoted strings, numbers with separators,
// and how wide a piece of text is on a terminal.

const NEEDS_ESCAPE = /[\x00-\x1f\x27\x5c\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const ESCAPE_ALL = new RegExp(NEEDS_ESCAPE.source, 'g');
const NAMED = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 92: '\\\\' };
const ANSI = new RegExp(
  '[\\u001B\\u009B][[\\]()#;?]*(?:(?:(?:(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]+)*' +
  '|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]*)*)?(?:\\u0007|\\u001B\\u005C|\\u009C))' +
  '|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]))', 'g');

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

function escapeControls(text) {
  return text.replace(ESCAPE_ALL, (char) => (char === "'" ? char : escapeCharacter(char)));
}

function groupFromRight(digits) {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, '_');
}

function groupFromLeft(digits) {
  return digits.replace(/(\d{3})(?=\d)/g, '$1_');
}

function formatNumber(stylize, number, separators) {
  const text = String(number);
  if (!separators && Object.is(number, -0)) return stylize('-0', 'number');
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

// A long string with line breaks is shown as a sum of its lines.
function formatString(ctx, stylize, value) {
  let trailer = '';
  if (value.length > ctx.maxStringLength) {
    const remaining = value.length - ctx.maxStringLength;
    value = value.slice(0, ctx.maxStringLength);
    trailer = `... ${remaining} more character${plural(remaining)}`;
  }
  if (ctx.compact !== true && value.length > 16 &&
      value.length > ctx.breakLength - ctx.indentationLvl - 4) {
    const lines = value.split(/(?<=\n)/);
    return lines.map((line) => stylize(quote(line), 'string'))
      .join(` +\n${' '.repeat(ctx.indentationLvl + 2)}`) + trailer;
  }
  return stylize(quote(value), 'string') + trailer;
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

function stripVTControlCharacters(text) {
  return text.replace(ANSI, '');
}

function isFullWidth(code) {
  return code >= 0x1100 && (
    code <= 0x115f || code === 0x2329 || code === 0x232a ||
    (code >= 0x2e80 && code <= 0x3247 && code !== 0x303f) ||
    (code >= 0x3250 && code <= 0x4dbf) || (code >= 0x4e00 && code <= 0xa4c6) ||
    (code >= 0xa960 && code <= 0xa97c) || (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe10 && code <= 0xfe19) ||
    (code >= 0xfe30 && code <= 0xfe6b) || (code >= 0xff01 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1b000 && code <= 0x1b001) ||
    (code >= 0x1f200 && code <= 0x1f251) || (code >= 0x1f300 && code <= 0x1f64f) ||
    (code >= 0x1f900 && code <= 0x1f9ff) || (code >= 0x20000 && code <= 0x3fffd));
}

function isZeroWidth(code) {
  return code <= 0x1f || (code >= 0x7f && code <= 0x9f) || (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x200b && code <= 0x200f) || (code >= 0x20d0 && code <= 0x20ff) ||
    (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xfe20 && code <= 0xfe2f) ||
    (code >= 0xe0100 && code <= 0xe01ef);
}

// Columns that `text` takes on a terminal.
function getStringWidth(text, removeControls = true) {
  if (removeControls) text = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const char of text.normalize('NFC')) {
    const code = char.codePointAt(0);
    if (isFullWidth(code)) width += 2;
    else if (!isZeroWidth(code)) width += 1;
  }
  return width;
}

module.exports = {
  escapeControls,
  formatBigInt,
  formatNumber,
  formatPrimitive,
  getStringWidth,
  plural,
  quote,
  stripVTControlCharacters,
};
