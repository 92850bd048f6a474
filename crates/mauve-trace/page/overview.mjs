// The whole trace in one strip: utilisation of the loops, blocked iterations, matches of a search,
// and the visible part as a window that can be dragged.

import { drawArea, utilisationOf } from './charts.mjs';
import { BLOCKED_NS } from './model.mjs';
import { theme } from './theme.mjs';

export class Overview {
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    this.cache = null;
    this.#listen();
  }

  // Must be called when the size, the theme or the search has changed.
  invalidate() {
    this.cache = null;
  }

  draw(ctx, size) {
    const { view, model } = this.app;
    if (!this.cache) this.cache = this.#still(size);
    ctx.clearRect(0, 0, size.width, size.height);
    ctx.drawImage(this.cache, 0, 0, size.width, size.height);
    const left = (view.from / model.length) * size.width;
    const right = Math.max(left + 3, (view.to / model.length) * size.width);
    ctx.fillStyle = theme.ground;
    ctx.globalAlpha = 0.62;
    ctx.fillRect(0, 0, left, size.height);
    ctx.fillRect(right, 0, size.width - right, size.height);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.roundRect(left + 0.75, 0.75, Math.max(1.5, right - left - 1.5), size.height - 1.5, 4);
    ctx.stroke();
  }

  // What does not move. It is drawn once.
  #still({ width, height, ratio }) {
    const { model } = this.app;
    const canvas = new OffscreenCanvas(width * ratio, height * ratio);
    const ctx = canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    const whole = { from: 0, to: model.length, width, pixel: model.length / width };
    const each = height / Math.max(1, model.busyLoops.length);
    model.busyLoops.forEach((lane, i) => {
      drawArea(ctx, utilisationOf(lane, whole, 2), 2, i * each + 3, each - 5, theme.accent);
    });
    const { iterations, callbacks } = model;
    ctx.fillStyle = theme.alarm;
    for (let row = 0; row < iterations.rows; row++) {
      if (iterations.busy[row] < BLOCKED_NS) continue;
      const x = iterations.waitEnd[row] / whole.pixel;
      ctx.fillRect(x, 0, Math.max(2, iterations.busy[row] / whole.pixel), 3);
    }
    const matches = this.app.search.names;
    if (matches) {
      ctx.fillStyle = theme.ink;
      for (let row = 0; row < callbacks.rows; row++) {
        if (matches.has(callbacks.name[row])) ctx.fillRect(callbacks.begin[row] / whole.pixel, height - 3, 1, 3);
      }
    }
    return canvas;
  }

  #listen() {
    const move = event => {
      const { view, model } = this.app;
      const { left, width } = this.canvas.getBoundingClientRect();
      const time = ((event.clientX - left) / width) * model.length;
      const half = (view.to - view.from) / 2;
      view.show(time - half, time + half, false);
    };
    this.canvas.addEventListener('pointerdown', event => {
      this.canvas.setPointerCapture(event.pointerId);
      move(event);
    });
    this.canvas.addEventListener('pointermove', event => {
      if (event.buttons === 1) move(event);
    });
  }
}
