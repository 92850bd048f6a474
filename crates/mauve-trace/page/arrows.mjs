// Arrows: from the submission of a request over its pool thread to its callback, and from the thread
// that sends a wake-up to the loop.

import { theme } from './theme.mjs';

const MOST = 300;
const SHORTEST_PX = 6;

// Draws the arrows of all requests and wake-ups that are long enough to be seen.
export function drawArrows(ctx, view, model, layout, scroll) {
  const requests = visible(model.flows, view).filter(row => model.requests.worker[row] >= 0);
  for (const row of requests) drawRequest(ctx, view, model, layout, row, { scroll, strength: strengthOf(requests.length) });
  const wakeups = visible(model.wakeFlows, view).filter(row => model.wakeups.handle[row] >= 0);
  for (const row of wakeups) drawWakeup(ctx, view, model, layout, row, { scroll, strength: strengthOf(wakeups.length) });
}

// Many arrows are drawn faintly, so that they do not hide the lanes.
function strengthOf(count) {
  return Math.min(0.75, Math.max(0.12, 14 / count));
}

// The rows of flows in view. If there are too many, only the longer ones.
function visible(pyramid, view) {
  let rows = [];
  const isFew = pyramid.firstAfter(view.to) - pyramid.firstAfter(view.from) <= MOST;
  for (let width = isFew ? 0 : SHORTEST_PX; width < view.width * 4; width = Math.max(SHORTEST_PX, width * 2)) {
    rows = [];
    const leaf = i => rows.push(pyramid.rows[i]);
    pyramid.walk(view.from, view.to, view.pixel * width, leaf, () => {});
    if (rows.length <= MOST) return rows;
  }
  return rows.slice(0, MOST);
}

// Three points: submission, job, callback.
export function drawRequest(ctx, view, model, layout, row, { scroll, strength, isStrong = false }) {
  const { requests, callbacks } = model;
  const submitter = layout.rowOf(requests.from[row]);
  const worker = layout.rowOf(requests.worker[row]);
  if (!submitter || !worker) return;
  const pen = { ctx, colour: theme.pool, strength, isStrong };
  curve(pen, view.x(requests.begin[row]), edge(submitter, worker, scroll), view.x(requests.started[row]), edge(worker, submitter, scroll));
  const callback = requests.callback[row];
  if (callback < 0) return;
  const target = layout.rowOf(callbacks.lane[callback], callbacks.depth[callback]);
  curve(pen, view.x(requests.finished[row]), edge(worker, target, scroll), view.x(callbacks.begin[callback]), edge(target, worker, scroll));
}

export function drawWakeup(ctx, view, model, layout, row, { scroll, strength, isStrong = false }) {
  const { wakeups } = model;
  const from = layout.rowOf(wakeups.lane[row]);
  const to = layout.rowOf(wakeups.to[row]);
  if (!from || !to || from === to) return;
  const pen = { ctx, colour: theme.wakeup, strength, isStrong };
  curve(pen, view.x(wakeups.begin[row]), edge(from, to, scroll), view.x(wakeups.end[row]), edge(to, from, scroll));
}

// The edge of a track that faces another track.
function edge(track, other, scroll) {
  return (track.y < other.y ? track.y + track.height : track.y) - scroll;
}

function curve({ ctx, colour, strength, isStrong }, x1, y1, x2, y2) {
  const bend = Math.min(60, Math.max(14, Math.abs(y2 - y1) * 0.45)) * Math.sign(y2 - y1 || 1);
  ctx.globalAlpha = isStrong ? 1 : strength;
  ctx.strokeStyle = colour;
  ctx.lineWidth = isStrong ? 2 : 1;
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.bezierCurveTo(x1, y1 + bend, x2, y2 - bend, x2, y2);
  ctx.stroke();
  const size = isStrong ? 5 : 3.5;
  const way = Math.sign(y2 - y1 || 1);
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(x2, y2);
  ctx.lineTo(x2 - size * 0.7, y2 - way * size * 1.4);
  ctx.lineTo(x2 + size * 0.7, y2 - way * size * 1.4);
  ctx.fill();
  ctx.globalAlpha = 1;
}
