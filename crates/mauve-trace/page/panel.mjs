// The panel below the lanes: tabs with tables and histograms, of the whole trace or a part of it.

import { $, make } from './dom.mjs';
import { flameGraph } from './flame.mjs';
import { formatCount, formatDuration } from './format.mjs';
import { histogramCards } from './histograms.mjs';
import { summarize } from './stats.mjs';
import { blockedTable, decisionsTable, functionsTable, kindsTable, queuesTable, slowestTable } from './tables.mjs';

const SETTLE_MS = 180;

const TABS = {
  slowest: { title: 'Slowest callbacks', content: slowestTable },
  queues: { title: 'Longest queues', content: queuesTable },
  blocked: { title: 'Blocked', content: blockedTable, count: summary => summary.blocked },
  decisions: { title: 'Decisions', content: decisionsTable, isShown: ({ decisions }) => decisions.rows > 0 },
  stacks: { title: 'Stacks', content: flameGraph },
  functions: { title: 'Functions', content: functionsTable },
  kinds: { title: 'Kinds', content: kindsTable },
  histograms: { title: 'Histograms', content: histogramCards },
};

export class Panel {
  constructor(app) {
    this.app = app;
    this.tab = 'slowest';
    this.scope = 'trace';
    this.whole = summarize(app.model, 0, app.model.length);
    this.summary = this.whole;
    this.timer = 0;
    this.tabs = Object.entries(TABS).filter(([, { isShown }]) => isShown?.(app.model) ?? true);
    for (const [name, { title }] of this.tabs) {
      const open = () => this.open(name);
      $('tabs').append(make('button', { id: `tab-${name}`, role: 'tab', 'aria-controls': 'tables', on: { click: open } }, title, make('em')));
    }
    $('scope').addEventListener('change', () => this.setScope($('scope').value));
    this.open(this.tab);
  }

  open(tab) {
    this.tab = tab;
    this.render();
    $('tables').scrollTop = 0;
  }

  // `trace`, `view` or `range`.
  setScope(scope) {
    this.scope = scope;
    $('scope').value = scope;
    this.refresh();
  }

  // Another item was selected.
  selectionChanged() {
    if (this.tab === 'stacks') this.render();
  }

  // The view or the range has changed. Counting a million records takes a while, so this waits until
  // the view rests.
  refresh() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#summarize(), this.scope === 'trace' ? 0 : SETTLE_MS);
  }

  #summarize() {
    const { view, range, model } = this.app;
    const part = this.scope === 'range' ? range : this.scope === 'view' ? view : null;
    const next = part ? summarize(model, part.from, part.to) : this.whole;
    if (next === this.summary) return;
    this.summary = next;
    this.render();
  }

  render() {
    for (const [name, { count }] of this.tabs) {
      const button = $(`tab-${name}`);
      const number = count ? count(this.summary) : 0;
      button.setAttribute('aria-selected', String(name === this.tab));
      button.querySelector('em').textContent = number > 0 ? formatCount(number) : '';
    }
    $('tables').replaceChildren(TABS[this.tab].content(this.app, this.summary));
    const { durations } = this.summary;
    $('scope-note').textContent = `${formatCount(durations.count)} callbacks in ${formatDuration(this.summary.to - this.summary.from)}`;
  }
}
