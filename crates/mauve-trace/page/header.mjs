// The head of the page: what was traced, and its main numbers.

import { $, make } from './dom.mjs';
import { formatCount, formatDuration, formatShare, plural } from './format.mjs';
import { theme } from './theme.mjs';

export function showHeader(model, summary) {
  const { header, iterations, callbacks, requests } = model;
  const [first, ...others] = header.processes;
  const command = first?.command ?? 'trace';
  // The program without its folder. The whole command is in the box beside the pointer.
  const shown = command.replace(/^\S*\/(?=[^\s/])/, '');
  document.title = `${shown} · mauve trace`;
  $('command').textContent = shown;
  $('command').title = command;
  const facts = [
    first ? `pid ${first.pid}` : null,
    others.length > 0 ? `and ${plural(others.length, 'other process')}` : null,
    formatDuration(model.length),
    header.wallClock > 1e15 ? new Date(header.wallClock / 1e6).toLocaleString() : null,
  ];
  $('verdict').textContent = header.verdict;
  $('verdict').hidden = header.verdict === '';
  $('facts').textContent = facts.filter(fact => fact !== null).join(' · ');
  const loops = model.busyLoops;
  const shares = loops.map(({ id }) => formatShare(summary.utilisation.get(id).share));
  const cards = [
    ['utilisation', shares.slice(0, 2).join(' · ') || '0 %', loops.length > 1 ? plural(loops.length, 'busy loop') : 'share of time not waiting'],
    ['iterations', formatCount(iterations.rows), `p99 ${formatDuration(summary.busy.quantile(0.99))}`],
    ['callbacks', formatCount(callbacks.rows), `p50 ${formatDuration(summary.durations.quantile(0.5))} · p99 ${formatDuration(summary.durations.quantile(0.99))}`],
    ['slowest callback', formatDuration(summary.durations.max), summary.durations.maxRow >= 0 ? model.shortNameOf(callbacks, summary.durations.maxRow) : ''],
    ['blocked over 10 ms', formatCount(summary.blocked), summary.blocked > 0 ? `longest ${formatDuration(summary.busy.max)}` : 'never', summary.blocked > 0],
    ['pool delay', formatDuration(summary.queued.quantile(0.99)), `p99 of ${plural(summary.queued.count, 'request')}`],
  ];
  if (requests.rows === 0) cards.pop();
  if (header.dropped > 0) cards.push(['dropped', formatCount(header.dropped), 'records are missing', true]);
  $('cards').replaceChildren(...cards.map(([title, value, note, isAlarm]) =>
    make('div', { class: isAlarm ? 'card alarm' : 'card' }, make('small', null, title), make('b', null, value), make('span', null, note))));
  $('remarks').replaceChildren(...header.remarks.map(remark => make('p', null, remark)));
  showLegend(model);
}

function showLegend(model) {
  const phases = model.phases.map((name, i) => [name, theme.phases[i]]);
  const others = [['pool', theme.pool], ['wake-up', theme.wakeup]];
  $('legend').replaceChildren(...[...phases, ...others].map(([name, colour]) =>
    make('span', null, make('i', { style: { background: colour } }), name)));
}
