// The trace as the page uses it: the tables, and for each lane the spans that it shows.

import { Pyramid } from './pyramid.mjs';

// A loop that does not poll for this long is blocked.
export const BLOCKED_NS = 10e6;

// A loop with less than this share of the callbacks of the busiest one is shown without charts.
const QUIET_SHARE = 0.02;

export class Model {
  constructor({ header, tables }) {
    this.header = header;
    this.length = header.length;
    this.names = header.names;
    this.kinds = header.kinds;
    this.phases = header.phases;
    this.callbacks = withEnd(tables.callbacks, 'duration');
    this.iterations = withBusy(withEnd(tables.iterations, 'duration'));
    this.phaseSpans = withEnd(tables.phases, 'duration');
    this.waits = withEnd(tables.waits, 'duration');
    this.wakeups = withEnd(tables.wakeups, 'delay');
    this.requests = withStages(tables.requests);
    this.decisions = withCallback(tables.decisions, this.callbacks, header.decisions);
    this.handles = tables.handles;
    this.frames = tables.frames;
    this.samples = tables.samples;
    this.segments = busySegments(this.phaseSpans, this.waits);
    this.flows = sortedPyramid(this.requests);
    this.wakeFlows = sortedPyramid(this.wakeups);
    const onPool = this.flows.rows.filter(row => this.requests.worker[row] >= 0);
    this.queue = new Pyramid(onPool, this.requests.begin, this.requests.started);
    this.lanes = header.lanes.map((lane, id) => this.#lane(lane, id));
  }

  #lane(lane, id) {
    const { callbacks, waits, requests, segments, iterations, decisions } = this;
    const rowsOf = table => rowsWhere(table.rows, row => table.lane[row] === id);
    const pyramid = table => new Pyramid(rowsOf(table), table.begin, table.end);
    const own = rowsOf(callbacks);
    const depth = own.reduce((most, row) => Math.max(most, callbacks.depth[row]), -1);
    const depths = Array.from({ length: depth + 1 }, (_, level) => {
      const rows = own.filter(row => callbacks.depth[row] === level);
      return new Pyramid(rows, callbacks.begin, callbacks.end);
    });
    const jobs = rowsWhere(requests.rows, row => requests.worker[row] === id);
    jobs.sort((a, b) => requests.started[a] - requests.started[b]);
    return {
      ...lane,
      id,
      calls: own.length,
      callbacks: depths,
      waits: pyramid(waits),
      segments: pyramid(segments),
      iterations: pyramid(iterations),
      busy: new Pyramid(rowsOf(iterations), iterations.waitEnd, iterations.end),
      jobs: new Pyramid(jobs, requests.started, requests.finished),
      decisions: rowsOf(decisions),
    };
  }

  // The loops that ran, the one with the most callbacks first. Those without callbacks are left out, unless
  // no loop has any.
  get loops() {
    const ran = this.lanes.filter(lane => lane.role === 'loop' && lane.iterations.size + lane.calls > 0);
    const called = ran.filter(lane => lane.calls > 0);
    return (called.length > 0 ? called : ran).sort((a, b) => b.calls - a.calls);
  }

  // The loops that have a fair share of the callbacks. A process may have others that mostly sleep.
  get busyLoops() {
    const { loops } = this;
    return loops.filter(({ calls }) => calls >= loops[0].calls * QUIET_SHARE);
  }

  get workers() {
    return this.lanes.filter(lane => lane.role === 'pool');
  }

  // The function of a callback or request. Without one, what it is for.
  nameOf(table, row) {
    return this.names[table.name[row]]?.function ?? this.#kindOf(table, row);
  }

  // The same without parameters and template arguments, for columns with little room.
  shortNameOf(table, row) {
    return this.names[table.name[row]]?.short ?? this.#kindOf(table, row);
  }

  #kindOf(table, row) {
    return table === this.requests ? 'work' : this.kinds[table.kind[row]];
  }

  // The file and line of the function, or nothing.
  locationOf(table, row) {
    return this.names[table.name[row]]?.location ?? '';
  }

  // The samples of a callback.
  samplesOf(callback) {
    return rowsWhere(this.samples.rows, row => this.samples.callback[row] === callback);
  }

  // The samples of the callbacks that overlap `from..to`.
  samplesBetween(from, to) {
    const { begin, end } = this.callbacks;
    const isInside = callback => begin[callback] <= to && end[callback] >= from;
    return rowsWhere(this.samples.rows, row => isInside(this.samples.callback[row]));
  }

  // All pyramids whose spans have a name, with their table: what a search looks through.
  get named() {
    return this.lanes.flatMap(lane => [
      ...lane.callbacks.map(pyramid => ({ lane, pyramid, table: this.callbacks })),
      { lane, pyramid: lane.jobs, table: this.requests },
    ]);
  }

  // The callback of this depth or less that runs on a lane at a time, innermost first, or -1.
  callbackAt(lane, time) {
    for (const pyramid of this.lanes[lane].callbacks.toReversed()) {
      const row = pyramid.longestRow(time, time);
      if (row >= 0) return row;
    }
    return -1;
  }
}

function withEnd(table, duration) {
  table.end = table.begin.map((begin, row) => begin + table[duration][row]);
  return table;
}

// The time of an iteration without its wait, drawn at its end.
function withBusy(iterations) {
  iterations.busy = iterations.duration.map((duration, row) => duration - iterations.waited[row]);
  iterations.waitEnd = iterations.begin.map((begin, row) => begin + iterations.waited[row]);
  return iterations;
}

// A request is submitted, started by a pool thread, finished, and reported to its callback.
function withStages(requests) {
  requests.started = requests.begin.map((begin, row) => begin + requests.queued[row]);
  requests.finished = requests.started.map((started, row) => started + requests.ran[row]);
  requests.end = requests.finished.map((finished, row) => finished + requests.reported[row]);
  return requests;
}

// A decision lasts until the callback that follows has ended.
function withCallback(decisions, callbacks, words) {
  const end = decisions.begin.map((begin, row) => callbacks.end[decisions.callback[row]] ?? begin);
  return { ...decisions, end, words };
}

function sortedPyramid(table) {
  const rows = Uint32Array.from({ length: table.rows }, (_, row) => row);
  rows.sort((a, b) => table.begin[a] - table.begin[b]);
  return new Pyramid(rows, table.begin, table.end);
}

function rowsWhere(count, isWanted) {
  const rows = new Uint32Array(count);
  let found = 0;
  for (let row = 0; row < count; row++) {
    if (isWanted(row)) rows[found++] = row;
  }
  return rows.slice(0, found);
}

// The phases without the waits in them: what the loop spent its time on. `of` is the row of the phase.
function busySegments(phases, waits) {
  const segments = { rows: 0, lane: [], phase: [], begin: [], end: [], of: [] };
  const add = (row, begin, end) => {
    if (end <= begin) return;
    segments.rows++;
    segments.lane.push(phases.lane[row]);
    segments.phase.push(phases.phase[row]);
    segments.begin.push(begin);
    segments.end.push(end);
    segments.of.push(row);
  };
  const waitsByLane = rowsByLane(waits);
  for (const [lane, rows] of rowsByLane(phases)) {
    const own = waitsByLane.get(lane) ?? [];
    let next = 0;
    for (const row of rows) {
      let begin = phases.begin[row];
      while (next < own.length && waits.begin[own[next]] < begin) next++;
      for (; next < own.length && waits.end[own[next]] <= phases.end[row]; next++) {
        add(row, begin, waits.begin[own[next]]);
        begin = waits.end[own[next]];
      }
      add(row, begin, phases.end[row]);
    }
  }
  return segments;
}

function rowsByLane(table) {
  const lanes = new Map();
  for (let row = 0; row < table.rows; row++) {
    const lane = table.lane[row];
    if (!lanes.has(lane)) lanes.set(lane, []);
    lanes.get(lane).push(row);
  }
  return lanes;
}
