// The tables below the lanes: slowest callbacks, longest queues, blocked iterations, decisions, functions, kinds.

import { make } from './dom.mjs';
import { formatCount, formatDuration, formatShare, formatTime } from './format.mjs';
import { phaseColour, theme } from './theme.mjs';

const FUNCTIONS = 200;

// Builds a table. A column is `[title, isNumber]`; a row has its cells and the item it leads to.
function table(app, columns, rows, empty) {
  if (rows.length === 0) return make('p', { class: 'hint' }, empty);
  const head = columns.map(([title, isNumber]) => make('th', { class: isNumber ? 'number' : null, scope: 'col' }, title));
  const body = rows.map(({ cells, item }) => {
    const open = () => item && app.select(item, true);
    const onKey = event => {
      if (event.key === 'Enter') open();
    };
    return make('tr', { tabindex: '0', on: { click: open, keydown: onKey } },
      ...cells.map((cell, i) => make('td', { class: columns[i][1] ? 'number' : null }, cell)));
  });
  return make('table', null, make('thead', null, make('tr', null, ...head)), make('tbody', null, ...body));
}

function named(name, location, colour) {
  return make('span', { class: 'name' }, make('i', { style: { background: colour } }), make('b', null, name), location ? make('small', null, location) : null);
}

// A number with a bar that shows its share of the largest one.
function barred(value, most) {
  const share = most > 0 ? value / most : 0;
  return make('span', { class: 'barred', style: { '--share': `${(share * 100).toFixed(1)}%` } }, formatDuration(value));
}

function callbackName({ model }, row) {
  const { callbacks } = model;
  return named(model.shortNameOf(callbacks, row), model.locationOf(callbacks, row), phaseColour(callbacks.phase[row]));
}

function time({ model }, ns) {
  return formatTime(ns, Math.max(1, model.length / 1e5));
}

export function slowestTable(app, summary) {
  const { callbacks, kinds, lanes } = app.model;
  const most = callbacks.duration[summary.slowest[0]] ?? 0;
  const columns = [['callback'], ['kind'], ['loop'], ['at', true], ['was ready for', true], ['duration', true]];
  return table(app, columns, summary.slowest.map(row => ({
    item: { table: 'callbacks', row },
    cells: [
      callbackName(app, row),
      kinds[callbacks.kind[row]],
      lanes[callbacks.lane[row]].title,
      time(app, callbacks.begin[row]),
      callbacks.delay[row] < 0 ? '' : formatDuration(callbacks.delay[row]),
      barred(callbacks.duration[row], most),
    ],
  })), 'No callbacks here.');
}

export function queuesTable(app, summary) {
  const { model } = app;
  const { callbacks, requests, kinds } = model;
  const late = summary.lateCallbacks.map(row => ({ table: 'callbacks', row, waited: callbacks.delay[row] }));
  const queued = summary.lateRequests.map(row => ({ table: 'requests', row, waited: requests.queued[row] }));
  const all = [...late, ...queued].sort((a, b) => b.waited - a.waited).slice(0, 100);
  const columns = [['waiting'], ['queue'], ['since', true], ['waited', true]];
  return table(app, columns, all.map(({ table: of, row, waited }) => ({
    item: { table: of, row },
    cells: of === 'callbacks'
      ? [callbackName(app, row), `${kinds[callbacks.kind[row]]}, for the loop`, time(app, callbacks.begin[row] - waited), barred(waited, all[0].waited)]
      : [named(model.shortNameOf(requests, row), model.locationOf(requests, row), theme.pool), 'for a pool thread', time(app, requests.begin[row]), barred(waited, all[0].waited)],
  })), 'Nothing was queued here.');
}

export function blockedTable(app, summary) {
  const { model } = app;
  const { iterations, lanes } = model;
  const most = iterations.busy[summary.longestBlocked[0]] ?? 0;
  const columns = [['slowest callback in it'], ['loop'], ['iteration', true], ['at', true], ['blocked for', true]];
  return table(app, columns, summary.longestBlocked.map(row => {
    const lane = lanes[iterations.lane[row]];
    const slowest = lane.callbacks[0]?.longestRow(iterations.waitEnd[row], iterations.end[row]) ?? -1;
    return {
      item: slowest < 0 ? { table: 'iterations', row } : { table: 'callbacks', row: slowest },
      cells: [
        slowest < 0 ? 'none' : callbackName(app, slowest),
        lane.title,
        `#${iterations.number[row]}`,
        time(app, iterations.waitEnd[row]),
        barred(iterations.busy[row], most),
      ],
    };
  }), 'No loop was blocked for 10 ms here.');
}

export function decisionsTable(app, { from, to }) {
  const { decisions, lanes } = app.model;
  const rows = Array.from({ length: decisions.rows }, (_, row) => row);
  const inside = rows.filter(row => decisions.begin[row] >= from && decisions.begin[row] <= to);
  return table(app, [['decision'], ['loop'], ['then runs'], ['at', true]], inside.map(row => ({
    item: { table: 'decisions', row },
    cells: [
      named(decisions.words[row], '', decisions.fault[row] ? theme.alarm : theme.accent),
      lanes[decisions.lane[row]].title,
      decisions.callback[row] < 0 ? '' : callbackName(app, decisions.callback[row]),
      time(app, decisions.begin[row]),
    ],
  })), 'The schedule has decided nothing here.');
}

// One row for each function, or for each kind of callback.
export function groupTable(app, groups, title, nameOf) {
  const rows = [...groups].sort(([, a], [, b]) => b.sum - a.sum).slice(0, FUNCTIONS);
  const whole = rows.reduce((sum, [, histogram]) => sum + histogram.sum, 0);
  const most = rows[0]?.[1].sum ?? 0;
  const columns = [[title], ['calls', true], ['p50', true], ['p99', true], ['max', true], ['share', true], ['total', true]];
  return table(app, columns, rows.map(([key, histogram]) => ({
    item: { table: 'callbacks', row: histogram.maxRow },
    cells: [
      nameOf(key),
      formatCount(histogram.count),
      formatDuration(histogram.quantile(0.5)),
      formatDuration(histogram.quantile(0.99)),
      formatDuration(histogram.max),
      formatShare(whole > 0 ? histogram.sum / whole : 0),
      barred(histogram.sum, most),
    ],
  })), 'No callbacks here.');
}

export function functionsTable(app, summary) {
  const { names } = app.model;
  const nameOf = key => key < 0 ? 'unknown' : named(names[key].short, names[key].location, theme.accent);
  return groupTable(app, summary.byName, 'function', nameOf);
}

export function kindsTable(app, summary) {
  return groupTable(app, summary.byKind, 'kind of callback', key => app.model.kinds[key]);
}
