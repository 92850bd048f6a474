// The state of the page, and what can be done with it.

import { drawAxis } from './axis.mjs';
import { showDetails } from './details.mjs';
import { $, fitCanvas } from './dom.mjs';
import { formatCount, formatDuration } from './format.mjs';
import { showHeader } from './header.mjs';
import { showLabels } from './labels.mjs';
import { Layout } from './layout.mjs';
import { Overview } from './overview.mjs';
import { Panel } from './panel.mjs';
import { boxOf, drawLanes } from './paint.mjs';
import { Search } from './search.mjs';
import { followSystem, toggleTheme } from './theme.mjs';
import { showTooltip } from './tooltip.mjs';
import { View } from './view.mjs';

export class App {
  constructor(model) {
    this.model = model;
    this.selected = null;
    this.hovered = null;
    this.cursor = null;
    this.range = null;
    this.hasCharts = true;
    this.frames = 0;
    this.isScheduled = false;
    followSystem(() => this.themeChanged());
    this.search = new Search(model);
    this.view = new View(model.length, () => this.#viewChanged());
    this.layout = null;
    this.panel = new Panel(this);
    this.overview = new Overview($('overview'), this);
    showHeader(model, this.panel.whole);
    this.#arrange();
    showDetails($('details'), this);
    new ResizeObserver(() => this.#arrange()).observe($('timeline'));
    $('scroll').addEventListener('scroll', () => this.redraw());
    this.#listenToSearch();
    if (model.decisions.rows > 0) this.panel.open('decisions');
    else this.#showSlowest();
  }

  // Begins with the slowest callback. Where that is too narrow to be seen, the view moves to it.
  #showSlowest() {
    const [row] = this.panel.whole.slowest;
    if (row !== undefined) this.select({ table: 'callbacks', row }, true);
  }

  // Lays out the lanes for the size of the window.
  #arrange() {
    this.layout = new Layout(this.model, this.hasCharts, $('scroll').clientHeight);
    showLabels(this.layout);
    this.overview.invalidate();
    this.redraw();
  }

  get scroll() {
    return $('scroll').scrollTop;
  }

  // Draws with the next frame of the browser.
  redraw() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(now => {
      this.isScheduled = false;
      if (this.view.advance(now)) this.redraw();
      this.drawNow();
    });
  }

  drawNow() {
    $('lanes').style.height = `${$('scroll').clientHeight}px`;
    const size = fitCanvas($('lanes'));
    this.view.width = Math.max(1, size.width);
    drawLanes($('lanes').getContext('2d'), this, size);
    const axis = fitCanvas($('axis'));
    $('axis').getContext('2d').clearRect(0, 0, axis.width, axis.height);
    drawAxis($('axis').getContext('2d'), this.view, axis.height, this.cursor?.x ?? null);
    this.overview.draw($('overview').getContext('2d'), fitCanvas($('overview')));
    this.frames++;
  }

  #viewChanged() {
    if (this.panel?.scope === 'view') this.panel.refresh();
    this.redraw();
  }

  hover(item, pointer) {
    this.cursor = pointer;
    this.hovered = item;
    $('lanes').style.cursor = item ? 'pointer' : 'default';
    showTooltip($('tooltip'), this.model, item, pointer ? { x: pointer.pageX, y: pointer.pageY } : null);
    this.redraw();
  }

  // Selects an item. `isShown` moves the view to it.
  select(item, isShown = false) {
    this.selected = item;
    showDetails($('details'), this);
    this.panel.selectionChanged();
    if (item && isShown) {
      const [begin, end] = this.#spanOf(item);
      const { from, to } = this.view.target;
      const pixels = ((end - begin) / (to - from)) * this.view.width;
      if (pixels < 4 || end - begin > to - from) this.view.showSpan(begin - (end - begin) * 3, end + (end - begin) * 3);
      else this.view.reveal(begin, end);
      this.#scrollTo(item);
    }
    this.redraw();
  }

  // Where the mark of a decision is, relative to the lanes.
  markOf(row) {
    return boxOf(this, { table: 'decisions', row });
  }

  #spanOf({ table, row }) {
    const { begin, end } = this.model[table];
    return [begin[row], end[row]];
  }

  #scrollTo({ table, row }) {
    const { lane, worker, depth } = this.model[table];
    const track = this.layout.rowOf(table === 'requests' ? worker[row] : lane[row], depth?.[row] ?? 0);
    if (!track) return;
    const shown = $('scroll').clientHeight;
    if (track.y < this.scroll || track.y + track.height > this.scroll + shown) $('scroll').scrollTop = track.y - shown / 3;
  }

  zoomTo(item) {
    this.view.showSpan(...this.#spanOf(item));
    this.#scrollTo(item);
  }

  // Selects the callback or job before or after the selected one, on the same lane.
  selectNeighbour(way) {
    if (!this.selected) return;
    for (const { pyramid, table } of this.model.named) {
      if (table !== this.model[this.selected.table]) continue;
      const at = pyramid.rows.indexOf(this.selected.row);
      if (at < 0) continue;
      const next = pyramid.rows[at + way];
      if (next !== undefined) this.select({ table: this.selected.table, row: next }, true);
      return;
    }
  }

  setRange(range) {
    if (!range && !this.range) return;
    this.range = range;
    $('range').textContent = range ? `selected ${formatDuration(range.to - range.from)}` : '';
    $('scope-range').disabled = range === null;
    this.panel.setScope(range ? 'range' : 'trace');
    this.redraw();
  }

  toggleCharts() {
    this.hasCharts = !this.hasCharts;
    this.#arrange();
  }

  toggleTheme() {
    toggleTheme();
    this.themeChanged();
  }

  themeChanged() {
    showHeader(this.model, this.panel.whole);
    this.panel.render();
    showDetails($('details'), this);
    this.overview.invalidate();
    this.redraw();
  }

  // Escape: closes what is open, one thing at a time.
  clear() {
    if (this.search.names) this.find('');
    else if (this.range) this.setRange(null);
    else this.select(null);
    $('search').blur();
  }

  find(text) {
    if ($('search').value !== text) $('search').value = text;
    this.search.find(text);
    this.#showMatches();
    this.overview.invalidate();
    this.redraw();
  }

  stepSearch(way) {
    const match = this.search.step(way, this.view.from);
    if (!match) return;
    this.select({ table: match.table, row: match.row }, true);
    this.#showMatches();
  }

  #showMatches() {
    const { names, matches, at } = this.search;
    const count = formatCount(matches.length);
    $('matches').textContent = names ? (at < 0 ? count : `${formatCount(at + 1)} / ${count}`) : '';
  }

  #listenToSearch() {
    let timer = 0;
    $('search').addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.find($('search').value), 120);
    });
    $('search').addEventListener('keydown', event => {
      if (event.key !== 'Enter') return;
      clearTimeout(timer);
      if (!this.search.names) this.find($('search').value);
      this.stepSearch(event.shiftKey ? -1 : 1);
    });
  }
}
