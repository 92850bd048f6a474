// Distributions and rankings, over the whole trace or a part of it.

import { BLOCKED_NS } from './model.mjs';

// Buckets per power of two: a quantile is exact within 3 %.
const STEPS = 16;
const BUCKETS = 44 * STEPS;

// Counts of durations in buckets of logarithmic width.
export class Histogram {
  counts = new Uint32Array(BUCKETS);
  count = 0;
  sum = 0;
  min = Infinity;
  max = 0;
  maxRow = -1;

  add(value, row = -1) {
    const bucket = value < 1 ? 0 : Math.min(BUCKETS - 1, Math.floor(Math.log2(value) * STEPS));
    this.counts[bucket]++;
    this.count++;
    this.sum += value;
    this.min = Math.min(this.min, value);
    if (value >= this.max) [this.max, this.maxRow] = [value, row];
  }

  get mean() {
    return this.count === 0 ? 0 : this.sum / this.count;
  }

  quantile(share) {
    const wanted = Math.ceil(this.count * share);
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      seen += this.counts[bucket];
      if (seen >= wanted && seen > 0) return Math.min(this.max, 2 ** ((bucket + 0.5) / STEPS));
    }
    return 0;
  }

  // The counts of `bars` bars of equal logarithmic width between `from` and `to`.
  bars(from, to, bars) {
    const result = new Float64Array(bars);
    const [low, high] = [Math.log2(from), Math.log2(to)];
    this.counts.forEach((count, bucket) => {
      if (count === 0) return;
      const position = ((bucket + 0.5) / STEPS - low) / (high - low);
      result[Math.min(bars - 1, Math.max(0, Math.floor(position * bars)))] += count;
    });
    return result;
  }
}

// The `limit` rows with the largest values, largest first.
export function largest(rows, measure, limit) {
  let floor = -1;
  let kept = [];
  for (const row of rows) {
    const value = measure(row);
    if (value <= floor) continue;
    kept.push(row);
    if (kept.length >= limit * 8) {
      kept = kept.sort((a, b) => measure(b) - measure(a)).slice(0, limit);
      floor = measure(kept.at(-1));
    }
  }
  return kept.sort((a, b) => measure(b) - measure(a)).slice(0, limit);
}

// The rows of a table that overlap `from..to`.
export function* rowsBetween(table, from, to) {
  for (let row = 0; row < table.rows; row++) {
    if (table.begin[row] <= to && table.end[row] >= from) yield row;
  }
}

// All that the cards, tables and histograms show of `from..to`.
export function summarize(model, from, to) {
  const { callbacks, iterations, requests, waits } = model;
  const inside = table => rowsBetween(table, from, to);
  const summary = {
    from,
    to,
    durations: new Histogram(),
    delays: new Histogram(),
    busy: new Histogram(),
    queued: new Histogram(),
    ran: new Histogram(),
    byKind: new Map(),
    byName: new Map(),
    utilisation: new Map(),
  };
  for (const row of inside(callbacks)) {
    const duration = callbacks.duration[row];
    const kind = entry(summary.byKind, callbacks.kind[row]);
    const name = entry(summary.byName, callbacks.name[row]);
    kind.add(duration, row);
    name.add(duration, row);
    if (callbacks.depth[row] > 0) continue;
    summary.durations.add(duration, row);
    if (callbacks.delay[row] > 0) summary.delays.add(callbacks.delay[row], row);
  }
  for (const row of inside(iterations)) summary.busy.add(iterations.busy[row], row);
  for (const row of inside(requests)) {
    if (requests.worker[row] < 0) continue;
    summary.queued.add(requests.queued[row], row);
    summary.ran.add(requests.ran[row], row);
  }
  for (const lane of model.loops) summary.utilisation.set(lane.id, { waited: 0, share: 0 });
  for (const row of inside(waits)) {
    const loop = summary.utilisation.get(waits.lane[row]);
    if (loop) loop.waited += Math.min(waits.end[row], to) - Math.max(waits.begin[row], from);
  }
  for (const lane of model.loops) {
    const loop = summary.utilisation.get(lane.id);
    const time = Math.min(lane.end, to) - Math.max(lane.begin, from);
    loop.share = time > 0 ? Math.min(1, Math.max(0, 1 - loop.waited / time)) : 0;
  }
  summary.slowest = largest(inside(callbacks), row => callbacks.duration[row], 300)
    .filter(row => !isMostlyInner(model, row)).slice(0, 100);
  summary.lateCallbacks = largest(inside(callbacks), row => callbacks.delay[row], 100)
    .filter(row => callbacks.delay[row] > 0);
  summary.lateRequests = largest(inside(requests), row => requests.worker[row] < 0 ? -1 : requests.queued[row], 100);
  const blocked = [...inside(iterations)].filter(row => iterations.busy[row] >= BLOCKED_NS);
  summary.blocked = blocked.length;
  summary.longestBlocked = largest(blocked, row => iterations.busy[row], 100);
  return summary;
}

// Whether a callback inside of it, such as a function of JavaScript, takes most of the time of a
// callback. The inner one says more.
function isMostlyInner({ lanes, callbacks }, row) {
  const inside = lanes[callbacks.lane[row]].callbacks[callbacks.depth[row] + 1];
  const inner = inside?.longestRow(callbacks.begin[row], callbacks.end[row]) ?? -1;
  return inner >= 0 && callbacks.begin[inner] >= callbacks.begin[row]
    && callbacks.end[inner] <= callbacks.end[row] && callbacks.duration[inner] * 2 >= callbacks.duration[row];
}

function entry(map, key) {
  let histogram = map.get(key);
  if (histogram === undefined) map.set(key, histogram = new Histogram());
  return histogram;
}
