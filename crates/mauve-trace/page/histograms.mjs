// Distributions as small charts: bars on a logarithmic axis, with p50, p99 and the maximum.

import { make } from './dom.mjs';
import { formatCount, formatDuration, formatTime } from './format.mjs';

const BARS = 56;
const WIDTH = 420;
const HEIGHT = 96;
const SVG = 'http://www.w3.org/2000/svg';

export function histogramCards(app, summary) {
  const cards = [
    ['Callback duration', summary.durations, 'callbacks'],
    ['Ready until called', summary.delays, 'callbacks'],
    ['Iteration without wait', summary.busy, 'iterations'],
    ['Pool queue', summary.queued, 'requests'],
    ['On a pool thread', summary.ran, 'requests'],
  ];
  const shown = cards.filter(([, histogram]) => histogram.count > 0);
  if (shown.length === 0) return make('p', { class: 'hint' }, 'Nothing to count here.');
  return make('div', { class: 'histograms' }, ...shown.map(([title, histogram, table]) => card(app, title, histogram, table)));
}

function card(app, title, histogram, table) {
  const [p50, p99, max] = [histogram.quantile(0.5), histogram.quantile(0.99), histogram.max];
  // Whole decades, at least three.
  const high = 10 ** Math.ceil(Math.log10(Math.max(max, 1e4)));
  const low = Math.min(10 ** Math.floor(Math.log10(Math.max(1, histogram.min))), high / 1e3);
  const openMax = () => histogram.maxRow >= 0 && app.select({ table, row: histogram.maxRow }, true);
  const value = (name, ns, onClick = null) => make(onClick ? 'button' : 'span', onClick ? { on: { click: onClick } } : null,
    make('small', null, name), formatDuration(ns));
  return make('figure', null,
    make('figcaption', null, make('b', null, title), make('small', null, formatCount(histogram.count))),
    drawing(histogram, low, high, [['p50', p50], ['p99', p99], ['max', max]]),
    make('div', { class: 'quantiles' }, value('p50', p50), value('p99', p99), value('max', max, openMax)));
}

function shape(tag, attributes, text = null) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return element;
}

function drawing(histogram, low, high, quantiles) {
  const bars = histogram.bars(low, high, BARS);
  const most = bars.reduce((largest, count) => Math.max(largest, count), 1);
  const x = ns => (Math.log(Math.max(ns, low) / low) / Math.log(high / low)) * WIDTH;
  const svg = shape('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT + 16}`, role: 'img' });
  const each = WIDTH / BARS;
  bars.forEach((count, i) => {
    if (count === 0) return;
    // The square root keeps rare values visible beside common ones.
    const height = Math.max(2, Math.sqrt(count / most) * (HEIGHT - 10));
    svg.append(shape('rect', { class: 'bar', x: i * each + 0.5, y: HEIGHT - height, width: each - 1, height, rx: 1.5 }));
  });
  const decades = Math.round(Math.log10(high / low));
  for (let i = 0; i <= decades; i++) {
    const decade = low * 10 ** i;
    const isLast = i === decades;
    svg.append(shape('line', { class: 'grid', x1: x(decade), x2: x(decade), y1: 0, y2: HEIGHT }));
    // Room for six labels. The last one is to the left of its line, where the one before would be.
    if (decades > 5 && (decades - i) % 2 === 1) continue;
    svg.append(shape('text', { x: x(decade) + (isLast ? -3 : 3), y: HEIGHT + 12, 'text-anchor': isLast ? 'end' : 'start' }, formatTime(decade, decade)));
  }
  for (const [name, ns] of quantiles) {
    svg.append(shape('line', { class: `quantile ${name}`, x1: x(ns), x2: x(ns), y1: 0, y2: HEIGHT }));
  }
  return svg;
}
