// The panel with the selected item.

import { describe } from './describe.mjs';
import { make } from './dom.mjs';
import { formatDuration, plural } from './format.mjs';
import { theme } from './theme.mjs';

export function showDetails(element, app) {
  const { model, selected } = app;
  if (!selected) {
    element.replaceChildren(make('p', { class: 'hint' }, 'Click a block to see what is known of it.'));
    return;
  }
  const { title, full, location, tag, colour, duration, facts, links } = describe(model, selected);
  const all = facts.flatMap(([term, text]) => [make('dt', null, term), make('dd', null, text)]);
  element.replaceChildren(
    make('header', null,
      make('i', { style: { background: colour } }),
      make('div', null, make('h2', { title: full ?? title }, title), make('p', null, location ? `${tag} · ${location}` : tag)),
      duration === null ? null : make('strong', null, formatDuration(duration))),
    ...requestStages(app, selected),
    make('dl', null, ...all),
    make('nav', null,
      ...stacksOf(app, selected),
      ...links.map(([text, item]) => make('button', { on: { click: () => app.select(item, true) } }, `${text} →`)),
      make('button', { on: { click: () => app.zoomTo(selected) } }, 'zoom to it')),
  );
}

// A button that shows the flame graph of a callback.
function stacksOf(app, { table, row }) {
  const count = table === 'callbacks' ? app.model.samplesOf(row).length : 0;
  if (count === 0) return [];
  return [make('button', { on: { click: () => app.panel.open('stacks') } }, `flame graph of ${plural(count, 'stack')}`)];
}

// The stages of a request as a bar: queued, ran on the pool, waited for its callback, callback.
function requestStages({ model }, { table, row }) {
  const { requests, callbacks } = model;
  const request = table === 'requests' ? row : table === 'callbacks' ? callbacks.request[row] : -1;
  if (request < 0 || requests.worker[request] < 0) return [];
  const callback = requests.callback[request];
  const stages = [
    ['queued', requests.queued[request], theme.faint],
    ['on the pool', requests.ran[request], theme.pool],
    ['until called', requests.reported[request], theme.line],
    ['callback', callback < 0 ? 0 : callbacks.duration[callback], theme.accent],
  ];
  const whole = stages.reduce((sum, [, time]) => sum + time, 0) || 1;
  const bars = stages.map(([, time, colour]) => make('i', { style: { 'flex-grow': String(Math.max(time / whole, 0.004)), background: colour } }));
  const legend = stages.map(([name, time, colour]) =>
    make('span', null, make('i', { style: { background: colour } }), `${name} ${formatDuration(time)}`));
  return [make('div', { class: 'stages' }, make('div', { class: 'bar' }, ...bars), make('div', { class: 'legend' }, ...legend))];
}
