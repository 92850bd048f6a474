// What is under the pointer.

const REACH_PX = 2;
const MARK_PX = 6;

// Returns `{ table, row }`, or null. `x` and `y` are relative to the lanes.
export function itemAt({ view, layout, model, scroll }, x, y) {
  const track = layout.trackAt(y + scroll);
  if (!track) return null;
  const from = view.time(x - REACH_PX);
  const to = view.time(x + REACH_PX);
  const exact = view.time(x);
  // The span under the pointer, else the longest one near it.
  const find = (table, pyramid) => {
    const under = pyramid.longestRow(exact, exact);
    const row = under >= 0 ? under : pyramid.longestRow(from, to);
    return row < 0 ? null : { table, row };
  };
  switch (track.type) {
    case 'phases': {
      const segment = find('segments', track.pyramid);
      if (segment) return { table: 'phaseSpans', row: model.segments.of[segment.row] };
      return find('waits', track.lane.waits);
    }
    case 'callbacks':
      return find('callbacks', track.pyramid) ?? (track.depth === 0 ? find('waits', track.lane.waits) : null);
    case 'jobs':
      return find('requests', track.pyramid);
    case 'utilisation':
    case 'length':
      return find('iterations', track.lane.iterations);
    case 'sends':
      return sendAt(model, track.lane, exact, REACH_PX * view.pixel);
    case 'decisions':
      return decisionAt(model, track.lane, exact, MARK_PX * view.pixel);
    default:
      return null;
  }
}

// The nearest decision of a loop.
function decisionAt({ decisions }, lane, time, reach) {
  const distance = row => Math.abs(decisions.begin[row] - time);
  const near = [...lane.decisions].filter(row => distance(row) <= reach);
  if (near.length === 0) return null;
  return { table: 'decisions', row: near.reduce((best, row) => distance(row) < distance(best) ? row : best) };
}

// The nearest wake-up that a thread sent.
function sendAt(model, lane, time, reach) {
  const { begin } = model.wakeFlows.levels[0];
  let best = null;
  let distance = reach;
  for (let i = model.wakeFlows.firstAfter(time - reach); i < begin.length && begin[i] <= time + reach; i++) {
    const row = model.wakeFlows.rows[i];
    if (model.wakeups.lane[row] !== lane.id || Math.abs(begin[i] - time) > distance) continue;
    distance = Math.abs(begin[i] - time);
    best = { table: 'wakeups', row };
  }
  return best;
}
