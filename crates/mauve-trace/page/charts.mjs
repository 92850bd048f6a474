// The charts in the lanes: utilisation, iteration length and the queue of the pool.

import { formatDuration } from './format.mjs';
import { BLOCKED_NS } from './model.mjs';
import { theme } from './theme.mjs';

// Pixels of one step. A narrower step would show noise.
const STEP_PX = 3;

// The share of time in which a loop did not wait, in steps of `step` pixels.
export function utilisationOf(lane, view, step = STEP_PX) {
  const columns = new Float64Array(Math.ceil(view.width / step));
  const time = view.pixel * step;
  lane.waits.cover(columns, view.from, time);
  return columns.map((waited, i) => {
    const from = Math.max(lane.begin, view.from + i * time);
    const to = Math.min(lane.end, view.from + (i + 1) * time);
    return Math.min(1, Math.max(0, (to - from - waited) / time));
  });
}

export function drawUtilisation(ctx, view, lane, { y, height }) {
  drawGrid(ctx, view, y, height);
  drawArea(ctx, utilisationOf(lane, view), STEP_PX, y, height, theme.accent);
}

// The longest iteration of each pixel, without its wait, on a logarithmic scale from 1 µs on.
export function drawLengths(ctx, view, model, lane, { y, height }) {
  const longest = longestOf(model);
  const top = Math.log10(Math.max(longest, 1e4) / 1e3);
  const heightOf = ns => Math.max(1, (Math.log10(Math.max(ns, 1e3) / 1e3) / top) * height);
  drawGrid(ctx, view, y, height);
  const columns = new Float64Array(Math.ceil(view.width) + 1);
  const { begin, end } = lane.busy.levels[0];
  const bar = (x, width, ns) => {
    ctx.fillStyle = ns >= BLOCKED_NS ? theme.alarm : theme.muted;
    ctx.fillRect(x, y + height - heightOf(ns), width, heightOf(ns));
  };
  const leaf = i => {
    const x = Math.max(0, view.x(begin[i]));
    const width = Math.min(view.width, view.x(end[i])) - x;
    bar(x, Math.max(1, width - (width > 4 ? 1 : 0)), end[i] - begin[i]);
  };
  const group = (start, _sum, longestSpan) => {
    const x = Math.floor(view.x(start));
    if (x < 0 || x >= columns.length) return;
    columns[x] = Math.max(columns[x], end[longestSpan] - begin[longestSpan]);
  };
  ctx.globalAlpha = 0.7;
  lane.busy.walk(view.from, view.to, view.pixel, leaf, group);
  columns.forEach((ns, x) => {
    if (ns > 0) bar(x, 1, ns);
  });
  ctx.globalAlpha = 1;
  drawScale(ctx, view, y, formatDuration(longest));
}

function longestOf(model) {
  model.longestIteration ??= model.iterations.busy.reduce((most, ns) => Math.max(most, ns), 0);
  return model.longestIteration;
}

// How many requests wait for a pool thread, on average over each step.
export function drawQueue(ctx, view, model, { y, height }) {
  const columns = new Float64Array(Math.ceil(view.width / STEP_PX));
  model.queue.cover(columns, view.from, view.pixel * STEP_PX);
  const depths = columns.map(time => time / (view.pixel * STEP_PX));
  const most = depths.reduce((deepest, depth) => Math.max(deepest, depth), 1);
  drawGrid(ctx, view, y, height);
  drawArea(ctx, depths.map(depth => depth / most), STEP_PX, y, height, theme.pool);
  drawScale(ctx, view, y, most < 10 ? most.toFixed(1) : Math.round(most).toString());
}

export function drawArea(ctx, shares, step, y, height, colour) {
  ctx.beginPath();
  ctx.moveTo(0, y + height);
  shares.forEach((share, i) => {
    ctx.lineTo(i * step, y + height - share * height);
    ctx.lineTo((i + 1) * step, y + height - share * height);
  });
  ctx.lineTo(shares.length * step, y + height);
  ctx.fillStyle = colour;
  ctx.globalAlpha = 0.28;
  ctx.fill();
  ctx.beginPath();
  shares.forEach((share, i) => {
    ctx.lineTo(i * step, y + height - share * (height - 1) - 0.5);
    ctx.lineTo((i + 1) * step, y + height - share * (height - 1) - 0.5);
  });
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.25;
  ctx.globalAlpha = 0.95;
  ctx.stroke();
  ctx.globalAlpha = 1;
}

function drawGrid(ctx, view, y, height) {
  ctx.fillStyle = theme.lane;
  ctx.fillRect(0, y, view.width, height);
}

// The value at the top of a chart.
function drawScale(ctx, view, y, text) {
  ctx.font = `10px ${theme.sans}`;
  const width = ctx.measureText(text).width;
  ctx.fillStyle = theme.panel;
  ctx.globalAlpha = 0.8;
  ctx.fillRect(view.width - width - 10, y, width + 10, 14);
  ctx.globalAlpha = 1;
  ctx.fillStyle = theme.muted;
  ctx.textBaseline = 'top';
  ctx.textAlign = 'right';
  ctx.fillText(text, view.width - 5, y + 3);
  ctx.textAlign = 'left';
}
