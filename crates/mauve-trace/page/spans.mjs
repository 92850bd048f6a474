// Draws the spans of a track: each as a block, or as columns of one pixel where they are too short.

import { theme } from './theme.mjs';

const MIN_LABEL = 26;
const DIMMED = 0.16;

// Draws `pyramid` into the rectangle at `y`. `colourOf(row)` and `labelOf(row)` describe a span.
export function drawSpans(ctx, view, pyramid, { y, height, colourOf, labelOf = null }) {
  if (pyramid.size === 0) return;
  const { begin, end } = pyramid.levels[0];
  const columns = newColumns(Math.ceil(view.width) + 1);
  const blocks = [];
  const leaf = i => blocks.push(i);
  const group = (start, sum, longest, level, node) => {
    const x = Math.floor(view.x(start));
    if (x < 0 || x >= columns.covered.length) return;
    const isMarked = pyramid.isMarkedNode(level, node);
    const duration = end[longest] - begin[longest];
    columns.covered[x] += sum;
    if (columns.longest[x] < 0 || (isMarked && !columns.marked[x]) || duration > columns.duration[x]) {
      columns.longest[x] = longest;
      columns.duration[x] = duration;
    }
    if (isMarked) columns.marked[x] = 1;
  };
  pyramid.walk(view.from, view.to, view.pixel, leaf, group);
  drawColumns(ctx, view, pyramid, columns, { y, height, colourOf });
  for (const i of blocks) {
    const row = pyramid.rows[i];
    const left = Math.max(view.x(begin[i]), -8);
    const right = Math.min(view.x(end[i]), view.width + 8);
    ctx.globalAlpha = pyramid.isMarkedNode(0, i) ? 1 : DIMMED;
    ctx.fillStyle = colourOf(row);
    drawBlock(ctx, left, y, Math.max(1, right - left - 0.5), height);
    if (labelOf) drawLabel(ctx, labelOf(row), Math.max(left, 0), y, right - Math.max(left, 0), height);
  }
  ctx.globalAlpha = 1;
}

function newColumns(width) {
  return {
    covered: new Float64Array(width),
    duration: new Float64Array(width),
    longest: new Int32Array(width).fill(-1),
    marked: new Uint8Array(width),
  };
}

// A column shows the colour of its longest span, the stronger the more of its time is covered.
function drawColumns(ctx, view, pyramid, columns, { y, height, colourOf }) {
  const hasMarks = pyramid.marks !== null;
  let run = null;
  const flush = to => {
    if (!run) return;
    ctx.globalAlpha = run.alpha;
    ctx.fillStyle = run.colour;
    ctx.fillRect(run.from, y, to - run.from, height);
    run = null;
  };
  for (let x = 0; x < columns.covered.length; x++) {
    if (columns.longest[x] < 0) {
      flush(x);
      continue;
    }
    const share = Math.min(1, columns.covered[x] / view.pixel);
    const strength = Math.round((0.3 + 0.7 * Math.sqrt(share)) * 16) / 16;
    const alpha = hasMarks ? (columns.marked[x] ? 1 : strength * DIMMED) : strength;
    const colour = colourOf(pyramid.rows[columns.longest[x]]);
    if (run && (run.alpha !== alpha || run.colour !== colour)) flush(x);
    run ??= { from: x, alpha, colour };
  }
  flush(columns.covered.length);
}

function drawBlock(ctx, x, y, width, height) {
  if (width < 5) {
    ctx.fillRect(x, y, width, height);
    return;
  }
  ctx.beginPath();
  ctx.roundRect(x, y, width, height, Math.min(3, width / 4));
  ctx.fill();
}

function drawLabel(ctx, text, x, y, width, height) {
  if (width < MIN_LABEL) return;
  ctx.font = `500 11px ${theme.mono}`;
  const fits = Math.floor((width - 10) / characterWidth(ctx));
  if (fits < 2) return;
  ctx.fillStyle = theme['block-ink'];
  ctx.textBaseline = 'middle';
  ctx.fillText(text.length > fits ? `${text.slice(0, fits - 1)}…` : text, x + 5, y + height / 2 + 0.5);
}

const widths = new Map();

// All characters of the font are equally wide, so one measurement is enough.
function characterWidth(ctx) {
  if (!widths.has(ctx.font)) widths.set(ctx.font, ctx.measureText('0000000000').width / 10);
  return widths.get(ctx.font);
}
