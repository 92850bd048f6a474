// Mouse, touch and keyboard.

import { $ } from './dom.mjs';
import { itemAt } from './hit.mjs';

const DRAG_PX = 3;
const WHEEL = 0.0018;

export function listen(app) {
  const canvas = $('lanes');
  listenToPointer(app, canvas);
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const { view } = app;
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      view.pan(((event.deltaX || event.deltaY) * unit) / view.width);
    } else {
      view.zoom(Math.exp(event.deltaY * unit * WHEEL), view.time(event.offsetX));
    }
  }, { passive: false });
  addEventListener('keydown', event => onKey(app, event));
}

// Dragging pans; with Shift it selects a range. A click selects the block under the pointer.
function listenToPointer(app, canvas) {
  let drag = null;
  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const { view } = app;
    drag = { x: event.offsetX, y: event.offsetY, from: view.from, to: view.to, scroll: $('scroll').scrollTop, moved: false, isRange: event.shiftKey };
  });
  canvas.addEventListener('pointermove', event => {
    const [x, y] = [event.offsetX, event.offsetY];
    if (!drag) {
      app.hover(itemAt(app, x, y), { x, y, pageX: event.clientX, pageY: event.clientY });
      return;
    }
    drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > DRAG_PX;
    if (!drag.moved) return;
    app.hover(null, { x, y });
    if (drag.isRange) {
      const times = [app.view.time(drag.x), app.view.time(x)].sort((a, b) => a - b);
      app.setRange({ from: Math.max(0, times[0]), to: Math.min(app.model.length, times[1]) });
    } else {
      const distance = (drag.x - x) * app.view.pixel;
      app.view.show(drag.from + distance, drag.to + distance, false);
      $('scroll').scrollTop = drag.scroll + drag.y - y;
    }
  });
  const end = event => {
    if (drag && !drag.moved) {
      app.setRange(null);
      app.select(itemAt(app, event.offsetX, event.offsetY));
    }
    drag = null;
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', () => {
    drag = null;
  });
  canvas.addEventListener('pointerleave', () => app.hover(null, null));
  canvas.addEventListener('dblclick', event => {
    const item = itemAt(app, event.offsetX, event.offsetY);
    if (item) app.zoomTo(item);
  });
}

const PAN_SHARE = 0.25;

const KEYS = {
  w: app => zoomAtCursor(app, 0.6),
  '+': app => zoomAtCursor(app, 0.6),
  '=': app => zoomAtCursor(app, 0.6),
  s: app => zoomAtCursor(app, 1 / 0.6),
  '-': app => zoomAtCursor(app, 1 / 0.6),
  a: app => app.view.pan(-PAN_SHARE, true),
  d: app => app.view.pan(PAN_SHARE, true),
  ArrowLeft: app => app.view.pan(-PAN_SHARE, true),
  ArrowRight: app => app.view.pan(PAN_SHARE, true),
  ArrowUp: () => $('scroll').scrollBy({ top: -60 }),
  ArrowDown: () => $('scroll').scrollBy({ top: 60 }),
  Home: app => app.view.show(0, app.view.length),
  0: app => app.view.show(0, app.view.length),
  f: app => app.selected && app.zoomTo(app.selected),
  z: app => app.range && app.view.show(app.range.from, app.range.to),
  n: app => app.stepSearch(1),
  p: app => app.stepSearch(-1),
  ',': app => app.selectNeighbour(-1),
  '.': app => app.selectNeighbour(1),
  c: app => app.toggleCharts(),
  t: app => app.toggleTheme(),
  '/': () => $('search').focus(),
  '?': () => $('help').showModal(),
  Escape: app => app.clear(),
};

function zoomAtCursor(app, factor) {
  const { view, cursor } = app;
  view.zoom(factor, cursor ? view.time(cursor.x) : (view.from + view.to) / 2, true);
}

function onKey(app, event) {
  if ($('help').open) {
    if (event.key === 'Escape') $('help').close();
    return;
  }
  const isTyping = event.target.closest('input, textarea');
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping && event.key !== 'Escape') return;
  const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  if (event.target.closest('#panel') && event.key.startsWith('Arrow')) return;
  event.preventDefault();
  action(app);
}
