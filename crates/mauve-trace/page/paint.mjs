// Draws one frame of the lanes.

import { drawArrows, drawRequest, drawWakeup } from './arrows.mjs';
import { drawGridLines } from './axis.mjs';
import { drawLengths, drawQueue, drawUtilisation } from './charts.mjs';
import { drawSpans } from './spans.mjs';
import { phaseColour, theme } from './theme.mjs';

const NUMBER_PX = 44;

export function drawLanes(ctx, app, size) {
  const { view, layout, model } = app;
  const scroll = app.scroll;
  ctx.clearRect(0, 0, size.width, size.height);
  for (const { lane, y, height } of layout.lanes) {
    if (lane.role === 'queue' || y + height < scroll || y > scroll + size.height) continue;
    ctx.fillStyle = theme.lane;
    ctx.fillRect(0, y - scroll, size.width, height);
  }
  drawGridLines(ctx, view, size.height);
  for (const track of layout.tracks) {
    const y = track.y - scroll;
    if (y + track.height < 0 || y > size.height) continue;
    drawTrack(ctx, app, track, { y, height: track.height });
  }
  drawArrows(ctx, view, model, layout, scroll);
  drawRange(ctx, app, size);
  if (app.hovered) drawOutline(ctx, app, app.hovered, theme.muted);
  if (app.selected) drawSelection(ctx, app, app.selected);
  if (app.cursor) {
    ctx.fillStyle = theme.muted;
    ctx.globalAlpha = 0.5;
    ctx.fillRect(Math.round(app.cursor.x), 0, 1, size.height);
    ctx.globalAlpha = 1;
  }
}

function drawTrack(ctx, { view, model, layout }, track, box) {
  const { callbacks, requests, segments } = model;
  switch (track.type) {
    case 'phases':
      drawIterations(ctx, view, model, track.lane, { ...box, depth: layout.callbackHeight(track.lane) });
      drawSpans(ctx, view, track.pyramid, { ...box, colourOf: row => phaseColour(segments.phase[row]) });
      break;
    case 'callbacks':
      drawSpans(ctx, view, track.pyramid, {
        ...box,
        colourOf: row => phaseColour(callbacks.phase[row]),
        labelOf: row => model.shortNameOf(callbacks, row),
      });
      break;
    case 'jobs':
      drawSpans(ctx, view, track.pyramid, {
        ...box,
        colourOf: () => theme.pool,
        labelOf: row => model.shortNameOf(requests, row),
      });
      break;
    case 'sends':
      drawSends(ctx, view, model, track.lane, box);
      break;
    case 'decisions':
      drawDecisions(ctx, view, model, track.lane, box);
      break;
    case 'utilisation':
      drawUtilisation(ctx, view, track.lane, box);
      break;
    case 'length':
      drawLengths(ctx, view, model, track.lane, box);
      break;
    case 'queue':
      drawQueue(ctx, view, model, box);
      break;
  }
}

// Lines between iterations, and their numbers where there is room. A thin line is the wait.
function drawIterations(ctx, view, model, lane, { y, height, depth }) {
  const { iterations } = model;
  const { begin, end } = lane.iterations.levels[0];
    ctx.font = `10px ${theme.sans}`;
  ctx.textBaseline = 'middle';
  const leaf = i => {
    const x = view.x(begin[i]);
    const width = view.x(end[i]) - x;
    ctx.fillStyle = theme.line;
    if (x >= 0) ctx.fillRect(Math.round(x), y, 1, depth);
    const row = lane.iterations.rows[i];
    const waited = iterations.waited[row] / view.pixel;
    if (waited < NUMBER_PX || width < NUMBER_PX) return;
    const label = Math.max(x, 0) + 5;
    if (label > x + waited - NUMBER_PX) return;
    ctx.fillStyle = theme.faint;
    ctx.fillText(`#${iterations.number[row]}`, label, y + height / 2 + 0.5);
  };
  lane.iterations.walk(view.from, view.to, view.pixel * 6, leaf, () => {});
}

// The wake-ups that a thread sends, where that is all that is known of it.
function drawSends(ctx, view, model, lane, { y, height }) {
  const { begin } = model.wakeFlows.levels[0];
  const seen = new Uint8Array(Math.ceil(view.width) + 1);
  ctx.fillStyle = theme.wakeup;
  const draw = i => {
    const x = Math.floor(view.x(begin[i]));
    if (model.wakeups.lane[model.wakeFlows.rows[i]] !== lane.id || x < 0 || seen[x]) return;
    seen[x] = 1;
    ctx.fillRect(x - 1, y + 3, 2, height - 6);
  };
  model.wakeFlows.walk(view.from, view.to, view.pixel, draw, (_begin, _sum, longest) => draw(longest));
}

// A diamond for each decision of a seeded schedule, with its words where there is room.
function drawDecisions(ctx, view, { decisions }, lane, { y, height }) {
  const middle = y + height / 2;
  const size = Math.min(5, height / 3);
  ctx.font = `10px ${theme.sans}`;
  ctx.textBaseline = 'middle';
  let [last, drawn] = [-Infinity, -Infinity];
  lane.decisions.forEach((row, i) => {
    const x = view.x(decisions.begin[row]);
    if (x < -size || x > view.width + size || x - last < 1) return;
    last = x;
    ctx.fillStyle = decisions.fault[row] ? theme.alarm : theme.accent;
    ctx.beginPath();
    ctx.moveTo(x - size, middle);
    ctx.lineTo(x, middle - size);
    ctx.lineTo(x + size, middle);
    ctx.lineTo(x, middle + size);
    ctx.fill();
    const next = lane.decisions[i + 1];
    const right = next === undefined ? view.width : view.x(decisions.begin[next]) - size;
    const width = ctx.measureText(decisions.words[row]).width + 3 * size;
    const before = drawn;
    drawn = x + size;
    ctx.fillStyle = theme.muted;
    if (x + width <= right) {
      ctx.fillText(decisions.words[row], x + 2 * size, middle + 0.5);
      drawn = x + width;
    } else if (x - width >= Math.max(0, before)) ctx.fillText(decisions.words[row], x - width + size, middle + 0.5);
  });
}

function drawRange(ctx, { view, range }, size) {
  if (!range) return;
  const [left, right] = [view.x(range.from), view.x(range.to)];
  ctx.fillStyle = theme.accent;
  ctx.globalAlpha = 0.14;
  ctx.fillRect(left, 0, right - left, size.height);
  ctx.globalAlpha = 0.8;
  ctx.fillRect(Math.round(left), 0, 1, size.height);
  ctx.fillRect(Math.round(right), 0, 1, size.height);
  ctx.globalAlpha = 1;
}

// The rectangle of a callback, job, wait, phase, iteration or decision, or nothing.
export function boxOf({ view, layout, model, scroll }, item) {
  const table = model[item.table];
  let [begin, end, track] = [table.begin[item.row], table.end[item.row], null];
  if (item.table === 'callbacks') track = layout.rowOf(table.lane[item.row], table.depth[item.row]);
  else if (item.table === 'requests') {
    [begin, end] = [table.started[item.row], table.finished[item.row]];
    track = table.worker[item.row] < 0 ? null : layout.rowOf(table.worker[item.row]);
  } else if (item.table === 'wakeups') track = layout.rowOf(table.lane[item.row]);
  else {
    const wanted = item.table === 'decisions' ? 'decisions' : 'phases';
    track = layout.tracks.find(({ type, lane }) => type === wanted && lane.id === table.lane[item.row]);
  }
  if (!track) return null;
  if (item.table === 'wakeups') end = begin;
  const x = view.x(begin);
  if (item.table === 'decisions') return { x: x - 6, y: track.y - scroll, width: 12, height: track.height };
  return { x, y: track.y - scroll, width: Math.max(2, view.x(end) - x), height: track.height };
}

function drawOutline(ctx, app, item, colour) {
  const box = boxOf(app, item);
  if (!box) return;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.roundRect(box.x - 1, box.y - 1, box.width + 1.5, box.height + 2, 4);
  ctx.stroke();
}

// The selected item with its arrows, and the time that it was ready before it was called.
function drawSelection(ctx, app, item) {
  const { view, model, layout, scroll } = app;
  const { callbacks, wakeups } = model;
  const strong = { scroll, strength: 1, isStrong: true };
  if (item.table === 'callbacks') {
    const box = boxOf(app, item);
    const delay = callbacks.delay[item.row] / view.pixel;
    if (box && delay > 1) {
      ctx.fillStyle = theme.ink;
      ctx.fillRect(box.x - delay, box.y + box.height / 2 - 1, delay, 2);
      ctx.fillRect(box.x - delay, box.y + box.height / 2 - 5, 2, 10);
    }
    const request = callbacks.request[item.row];
    if (request >= 0) drawRequest(ctx, view, model, layout, request, strong);
    for (let row = 0; row < wakeups.rows; row++) {
      if (wakeups.callback[row] === item.row) drawWakeup(ctx, view, model, layout, row, strong);
    }
  } else if (item.table === 'requests') drawRequest(ctx, view, model, layout, item.row, strong);
  else if (item.table === 'wakeups') drawWakeup(ctx, view, model, layout, item.row, strong);
  drawOutline(ctx, app, item, theme.ink);
}
