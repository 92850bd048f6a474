// Where util.inspect puts line breaks: on one line if it fits, arrays of more
// than six short entries in columns, otherwise one entry per line.

const { getStringWidth } = require('internal/util/inspect_text');

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

// Puts entries into rows of equally many columns. Many short entries make a
// roughly 2.5 times wider than high block. Returns `output` itself if columns
// would not help.
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
  if (cell * 3 + ctx.indentationLvl >= ctx.breakLength) return output;
  if (!(total / cell > 5 || widest <= 6)) return output;

  const averageBias = Math.sqrt(cell - total / output.length);
  const biasedCell = Math.max(cell - 3 - averageBias, 1);
  const columns = Math.min(
    Math.round(Math.sqrt(2.5 * biasedCell * count) / biasedCell),
    Math.floor((ctx.breakLength - ctx.indentationLvl) / cell),
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
      // Pads by what is seen, not by the invisible colour codes.
      const target = columnWidths[i - first] + output[i].length - widths[i] - (isLast ? gap : 0);
      if (right) row += cellText.padStart(target);
      else row += isLast ? cellText : cellText.padEnd(target);
    }
    rows.push(row);
  }
  if (hasMoreItems) rows.push(output[count]);
  return rows;
}

// `depth` is the depth of this object; ctx.currentDepth that of the innermost
// object formatted last: at most ctx.compact levels share a line.
function layOut(ctx, output, base, braces, isArray, depth, value) {
  const [open, close] = braces;
  if (ctx.compact !== true) {
    if (typeof ctx.compact === 'number' && ctx.compact >= 1) {
      const entries = output.length;
      if (isArray && entries > ENTRIES_BEFORE_GROUPING) output = groupInColumns(ctx, output, value);
      if (ctx.currentDepth - depth < ctx.compact && entries === output.length) {
        const start = output.length + ctx.indentationLvl + open.length + base.length + 10;
        if (fitsOnLine(ctx, output, start, base)) {
          const joined = output.join(', ');
          if (!joined.includes('\n')) return `${base ? `${base} ` : ''}${open} ${joined} ${close}`;
        }
      }
    }
    const indentation = `\n${' '.repeat(ctx.indentationLvl)}`;
    return `${base ? `${base} ` : ''}${open}${indentation}  ` +
      `${output.join(`,${indentation}  `)}${indentation}${close}`;
  }
  if (fitsOnLine(ctx, output, 0, base)) {
    return `${open}${base ? ` ${base}` : ''} ${output.join(', ')} ${close}`;
  }
  const indentation = `\n${' '.repeat(ctx.indentationLvl)}`;
  const lead = base === '' && open.length === 1 ? ' ' : `${base ? ` ${base}` : ''}\n${indentation.slice(1)}  `;
  return `${open}${lead}${output.join(`,${indentation}  `)} ${close}`;
}

module.exports = { layOut };
