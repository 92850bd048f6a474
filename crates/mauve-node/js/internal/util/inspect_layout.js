// How util.inspect breaks lines: one line if it fits, columns for arrays of
// more than six short entries, otherwise one entry per line.
const { getStringWidth } = require('internal/util/string_width');
const ENTRIES_BEFORE_GROUPING = 6;
const COLORS = /\x1b\[\d\d?m/g;
// The length from which an entry is not copied.
const LONG = 30_000;

function fitsOnLine(ctx, output, start, base) {
  let total = output.length + start;
  if (total + output.length > ctx.breakLength) return false;
  for (const entry of output) {
    total += ctx.colors ? entry.replace(COLORS, '').length : entry.length;
    if (total > ctx.breakLength) return false;
  }
  return base === '' || !base.includes('\n');
}

// Numbers are aligned to the right, everything else to the left.
function alignsRight(value, count) {
  if (value === undefined) return true;
  for (let i = 0; i < count; i++) {
    if (typeof value[i] !== 'number' && typeof value[i] !== 'bigint') return false;
  }
  return true;
}

// Arranges entries in rows with the same number of columns. Returns `output` itself if columns do not
// help.
function groupInColumns(ctx, output, value) {
  const hasMoreItems = ctx.maxArrayLength < output.length;
  const entries = hasMoreItems ? output.slice(0, -1) : output;
  const right = alignsRight(value, output.length);
  const isPlain = right && !ctx.colors;
  const widths = entries.map((entry) => (isPlain ? entry.length : getStringWidth(entry, ctx.colors)));
  const rows = binding('util').groupInColumns(entries, widths, right,
    [output.length, ctx.breakLength, ctx.indentation, ctx.compact]);
  if (rows === undefined) return output;
  if (hasMoreItems) rows.push(output.at(-1));
  return rows;
}

const lineBreak = (ctx) => `\n${' '.repeat(ctx.indentation)}`;

// Joins the entries of an object at `depth`.
function layOut(ctx, output, base, braces, isArray, depth, value) {
  if (ctx.compact === true) return layOutCompact(ctx, output, base, braces);
  const [open, close] = braces;
  const lead = base ? `${base} ${open}` : open;
  let entries = output;
  if (typeof ctx.compact === 'number' && ctx.compact >= 1) {
    if (isArray && output.length > ENTRIES_BEFORE_GROUPING) entries = groupInColumns(ctx, output, value);
    const isGrouped = entries.length !== output.length;
    const line = isGrouped ? undefined : singleLine(ctx, output, base, open, depth);
    if (line !== undefined) return `${lead} ${line} ${close}`;
  }
  const indent = lineBreak(ctx);
  const separator = `,${indent}  `;
  if (!entries.some((entry) => entry.length > LONG)) return `${lead}${indent}  ${entries.join(separator)}${indent}${close}`;
  // The engine concatenates long strings without copying them; join() would copy them at each level.
  let text = `${lead}${indent}  `;
  for (let i = 0; i < entries.length; i++) {
    if (i > 0) text += separator;
    text += entries[i];
  }
  return text + indent + close;
}

// All entries on one line; undefined if they do not fit. At most ctx.compact
// levels of nesting share a line; ctx.currentDepth is the innermost of them.
function singleLine(ctx, output, base, open, depth) {
  if (ctx.currentDepth - depth >= ctx.compact) return undefined;
  const taken = output.length + ctx.indentation + open.length + base.length + 10;
  if (!fitsOnLine(ctx, output, taken, base)) return undefined;
  const line = output.join(', ');
  return line.includes('\n') ? undefined : line;
}

// The format of `compact: true`: the first entry follows the opening brace.
function layOutCompact(ctx, output, base, [open, close]) {
  const suffix = base ? ` ${base}` : '';
  if (fitsOnLine(ctx, output, 0, base)) return `${open}${suffix} ${output.join(', ')} ${close}`;
  const indent = lineBreak(ctx);
  const gap = suffix === '' && open.length === 1 ? ' ' : `${suffix}${indent}  `;
  return `${open}${gap}${output.join(`,${indent}  `)} ${close}`;
}

module.exports = { layOut };
