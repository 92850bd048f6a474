// The visible part of the trace: converts between times and pixels, zooms and pans.

const SHORTEST_NS = 200;
const EASE_MS = 140;

export class View {
  constructor(length, onChange) {
    this.length = Math.max(length, SHORTEST_NS);
    this.from = 0;
    this.to = this.length;
    this.width = 1;
    this.onChange = onChange;
    this.ease = null;
  }

  // Nanoseconds per pixel.
  get pixel() {
    return (this.to - this.from) / this.width;
  }

  x(time) {
    return (time - this.from) / this.pixel;
  }

  time(x) {
    return this.from + x * this.pixel;
  }

  // Where the view is, or is moving to.
  get target() {
    return this.ease ? this.ease.target : { from: this.from, to: this.to };
  }

  // Scales the visible time by `factor`; `time` keeps its position.
  zoom(factor, time, isSmooth = false) {
    const { from, to } = this.target;
    const shown = clamp((to - from) * factor, SHORTEST_NS, this.length);
    const position = clamp((time - from) / (to - from), 0, 1);
    this.show(time - position * shown, time - position * shown + shown, isSmooth);
  }

  // Moves by a share of the visible time.
  pan(share, isSmooth = false) {
    const { from, to } = this.target;
    const distance = share * (to - from);
    this.show(from + distance, to + distance, isSmooth);
  }

  show(from, to, isSmooth = true) {
    const shown = clamp(to - from, SHORTEST_NS, this.length);
    const begin = clamp(from, 0, this.length - shown);
    const target = { from: begin, to: begin + shown };
    if (isSmooth && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.ease = { target, from: this.from, to: this.to, start: performance.now() };
    } else {
      this.ease = null;
      Object.assign(this, target);
    }
    this.onChange();
  }

  // Shows a span with some time around it.
  showSpan(begin, end) {
    const margin = Math.max((end - begin) * 0.6, SHORTEST_NS);
    this.show(begin - margin, end + margin);
  }

  // Moves so that a time is visible, without zooming.
  reveal(begin, end) {
    const { from, to } = this.target;
    if (begin >= from && end <= to) return;
    const middle = (begin + Math.min(end, begin + (to - from) / 2)) / 2;
    this.show(middle - (to - from) / 2, middle + (to - from) / 2);
  }

  // Advances a smooth change. Returns whether it goes on.
  advance(now) {
    if (!this.ease) return false;
    const { target, from, to, start } = this.ease;
    const share = clamp((now - start) / EASE_MS, 0, 1);
    const eased = 1 - (1 - share) ** 3;
    this.from = from + (target.from - from) * eased;
    this.to = to + (target.to - to) * eased;
    if (share === 1) this.ease = null;
    return share < 1;
  }
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
