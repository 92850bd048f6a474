// How util.inspect breaks lines: one line if it fits, columns for arrays of
// more than six short entries, otherwise one entry per line.

const { getStringWidth } = require('internal/util/string_width');

const MAX_COLUMNS = 15;
const ENTRIES_BEFORE_GROUPING = 6;

function fitsOnLine(ctx, output, start, base) {
  let total = output.length + start;
  if (total + output.length > ctx.breakLength) return false;
  for (const entry of output) {
    total += ctx.colors ? getStringWidth(entry, true) : entry.length;
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

// Arranges entries in rows with the same number of columns. The block is about
// 2.5 times as wide as high. Returns `output` itself if columns do not help.
function groupInColumns(ctx, output, value) {
  const hasMoreItems = ctx.maxArrayLength < output.length;
  const count = hasMoreItems ? output.length - 1 : output.length;
  const gap = 2;
  const right = alignsRight(value, output.length);
  const widths = [];
  let total = 0;
  let widest = 0;
  for (let i = 0; i < count; i++) {
    const width = right && !ctx.colors ? output[i].length : getStringWidth(output[i], ctx.colors);
    widths.push(width);
    total += width + gap;
    if (width > widest) widest = width;
  }
  const cell = widest + gap;
  if (cell * 3 + ctx.indentation >= ctx.breakLength) return output;
  if (!(total / cell > 5 || widest <= 6)) return output;

  const averageBias = Math.sqrt(cell - total / output.length);
  const biasedCell = Math.max(cell - 3 - averageBias, 1);
  const columns = Math.min(
    Math.round(Math.sqrt(2.5 * biasedCell * count) / biasedCell),
    Math.floor((ctx.breakLength - ctx.indentation) / cell),
    ctx.compact * 4,
    MAX_COLUMNS,
  );
  if (columns <= 1) return output;

  const columnWidths = [];
  for (let column = 0; column < columns; column++) {
    let width = 0;
    for (let i = column; i < count; i += columns) width = Math.max(width, widths[i]);
    columnWidths.push(width + gap);
  }
  const rows = [];
  for (let first = 0; first < count; first += columns) {
    const end = Math.min(first + columns, count);
    let row = '';
    for (let i = first; i < end; i++) {
      const isLast = i === end - 1;
      const cellText = isLast ? output[i] : `${output[i]}, `;
      // Colour codes take no columns.
      const target = columnWidths[i - first] + output[i].length - widths[i] - (isLast ? gap : 0);
      if (right) row += cellText.padStart(target);
      else row += isLast ? cellText : cellText.padEnd(target);
    }
    rows.push(row);
  }
  if (hasMoreItems) rows.push(output[count]);
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
  return `${lead}${indent}  ${entries.join(`,${indent}  `)}${indent}${close}`;
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
