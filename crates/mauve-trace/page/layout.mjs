// The vertical arrangement: which track is at which height.
//
// A lane has tracks. A loop has its phases, a row of callbacks for each depth, and charts. The pool
// has a chart of its queue and a row for each thread.

const TRACK_HEIGHT = { decisions: 16, phases: 14, callbacks: 22, nested: 17, jobs: 20, sends: 14, chart: 28, queue: 36 };
const GAP = 3;
const LANE_GAP = 14;
const DEEPEST = 6;
// With few lanes, tracks grow up to this factor to use the room.
const MOST_GROWTH = 1.8;

export class Layout {
  constructor(model, hasCharts, room = 0) {
    this.scale = 1;
    this.#arrange(model, hasCharts);
    const growth = Math.min(room / this.height, MOST_GROWTH);
    if (growth <= 1.05) return;
    this.scale = growth;
    this.#arrange(model, hasCharts);
  }

  #arrange(model, hasCharts) {
    this.tracks = [];
    this.lanes = []; // { lane, title, subtitle, y, height, tracks }
    this.height = 10;
    const busy = new Set(model.busyLoops);
    for (const lane of model.loops) this.#add(lane, loopTracks(lane, hasCharts && busy.has(lane)));
    const workers = model.workers;
    if (workers.length > 0 && hasCharts) {
      const pool = { id: -1, role: 'queue', title: 'Pool queue', subtitle: 'requests waiting' };
      this.#add(pool, [{ type: 'queue', height: TRACK_HEIGHT.queue }]);
    }
    for (const lane of workers) this.#add(lane, [{ type: 'jobs', height: TRACK_HEIGHT.jobs, pyramid: lane.jobs }], 4);
    if (workers.length > 0) this.height += LANE_GAP - 4;
    for (const lane of model.lanes) {
      if (lane.role === 'thread') this.#add(lane, [{ type: 'sends', height: TRACK_HEIGHT.sends }], 6);
    }
    this.height += 10;
  }

  #add(lane, tracks, gap = LANE_GAP) {
    const begin = this.height;
    for (const track of tracks) {
      Object.assign(track, { lane, y: this.height, height: Math.floor(track.height * this.scale) });
      this.height += track.height + GAP;
      this.tracks.push(track);
    }
    const height = this.height - GAP - begin;
    this.lanes.push({ lane, y: begin, height, tracks });
    this.height = begin + height + gap;
  }

  // The height of the phases and callbacks of a loop, without its charts.
  callbackHeight(lane) {
    const own = this.tracks.filter(track => track.lane === lane && track.pyramid);
    return own.at(-1).y + own.at(-1).height - own[0].y;
  }

  trackAt(y) {
    return this.tracks.find(track => y >= track.y - 1 && y < track.y + track.height + 2);
  }

  // The row where a callback, a job or a sending thread is drawn.
  rowOf(laneId, depth = 0) {
    const own = this.tracks.filter(track => track.lane.id === laneId);
    const isRow = track => track.type === 'jobs' || track.type === 'sends' || (track.type === 'callbacks' && track.depth === depth);
    return own.find(isRow) ?? own.find(track => track.type === 'callbacks') ?? own[0];
  }
}

function loopTracks(lane, hasCharts) {
  const tracks = [{ type: 'phases', height: TRACK_HEIGHT.phases, pyramid: lane.segments }];
  if (lane.decisions.length > 0) tracks.unshift({ type: 'decisions', height: TRACK_HEIGHT.decisions });
  lane.callbacks.slice(0, DEEPEST).forEach((pyramid, depth) => {
    tracks.push({ type: 'callbacks', height: depth === 0 ? TRACK_HEIGHT.callbacks : TRACK_HEIGHT.nested, pyramid, depth });
  });
  if (hasCharts) {
    tracks.push({ type: 'utilisation', height: TRACK_HEIGHT.chart, label: 'utilisation' });
    tracks.push({ type: 'length', height: TRACK_HEIGHT.chart, label: 'iteration length' });
  }
  return tracks;
}
