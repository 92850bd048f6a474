// The time axis: steps of 1, 2 and 5, with the same lines through all lanes.

import { formatTime } from './format.mjs';
import { theme } from './theme.mjs';

const MIN_STEP_PX = 110;

// The times of the lines, and the distance between them.
export function ticks(view) {
  const smallest = view.pixel * MIN_STEP_PX;
  const power = 10 ** Math.floor(Math.log10(smallest));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(size => size >= smallest) ?? 10 * power;
  const times = [];
  for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) times.push(time);
  return { step, times };
}

export function drawAxis(ctx, view, height, cursor) {
  const { step, times } = ticks(view);
  ctx.font = `11px ${theme.sans}`;
  ctx.textBaseline = 'middle';
  for (const time of times) {
    const x = Math.round(view.x(time));
    ctx.fillStyle = theme.line;
    ctx.fillRect(x, height - 6, 1, 6);
    ctx.fillStyle = theme.muted;
    ctx.fillText(formatTime(time, step), x + 5, height / 2);
  }
  if (cursor === null) return;
  const text = formatTime(view.time(cursor), view.pixel);
  const width = ctx.measureText(text).width + 12;
  const x = Math.min(Math.max(0, cursor - width / 2), view.width - width);
  ctx.fillStyle = theme.ink;
  ctx.beginPath();
  ctx.roundRect(x, 3, width, height - 6, 4);
  ctx.fill();
  ctx.fillStyle = theme.panel;
  ctx.fillText(text, x + 6, height / 2);
}

export function drawGridLines(ctx, view, height) {
  ctx.fillStyle = theme.line;
  ctx.globalAlpha = 0.55;
  for (const time of ticks(view).times) ctx.fillRect(Math.round(view.x(time)), 0, 1, height);
  ctx.globalAlpha = 1;
}
