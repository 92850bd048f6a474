// Spans of time, grouped in levels, so that any part of a trace is drawn in time that depends on the
// pixels and not on the number of spans.
//
// A node of level 1 has 16 spans, a node of level 2 has 16 nodes of level 1, and so on. A walk
// descends only into nodes that are wider than one pixel.

const FAN = 16;

export class Pyramid {
  // `rows` are row numbers of a table, sorted by `begin`; `begin` and `end` are columns of it.
  constructor(rows, begin, end) {
    const leaves = rows.length;
    const level = {
      size: leaves,
      begin: new Float64Array(leaves),
      end: new Float64Array(leaves),
      sum: null, // of the durations
      longest: null, // position of the longest span
    };
    for (let i = 0; i < leaves; i++) {
      level.begin[i] = begin[rows[i]];
      level.end[i] = end[rows[i]];
    }
    this.rows = rows;
    this.levels = [level];
    while (this.levels.at(-1).size > FAN) this.levels.push(this.#group(this.levels.at(-1)));
    this.marks = null;
  }

  get size() {
    return this.rows.length;
  }

  #group(below) {
    const size = Math.ceil(below.size / FAN);
    const level = {
      size,
      begin: new Float64Array(size),
      end: new Float64Array(size),
      sum: new Float64Array(size),
      longest: new Uint32Array(size),
    };
    const { begin, end } = this.levels[0];
    for (let node = 0; node < size; node++) {
      const first = node * FAN;
      const last = Math.min(first + FAN, below.size);
      let [latest, sum, longest, duration] = [0, 0, 0, -1];
      for (let i = first; i < last; i++) {
        const span = below.longest ? below.longest[i] : i;
        latest = Math.max(latest, below.end[i]);
        sum += below.sum ? below.sum[i] : below.end[i] - below.begin[i];
        if (end[span] - begin[span] > duration) [longest, duration] = [span, end[span] - begin[span]];
      }
      level.begin[node] = below.begin[first];
      level.end[node] = latest;
      level.sum[node] = sum;
      level.longest[node] = longest;
    }
    return level;
  }

  // Visits what is within `from..to`, in order: `leaf(position)` for spans of at least `pixel` ns, and
  // `group(begin, sum, longest, level, node)` for spans and nodes that are shorter.
  walk(from, to, pixel, leaf, group) {
    const top = this.levels.length - 1;
    this.#walk(top, 0, this.levels[top].size, { from, to, pixel, leaf, group });
  }

  #walk(depth, first, last, visit) {
    const { begin, end, sum, longest } = this.levels[depth];
    for (let i = first; i < last; i++) {
      if (begin[i] > visit.to) return;
      if (end[i] < visit.from) continue;
      const isWide = end[i] - begin[i] >= visit.pixel;
      if (depth === 0) {
        if (isWide) visit.leaf(i);
        else visit.group(begin[i], end[i] - begin[i], i, 0, i);
      } else if (isWide) {
        const child = i * FAN;
        this.#walk(depth - 1, child, Math.min(child + FAN, this.levels[depth - 1].size), visit);
      } else {
        visit.group(begin[i], sum[i], longest[i], depth, i);
      }
    }
  }

  // The position of the first span that begins at `time` or later.
  firstAfter(time) {
    const { begin, size } = this.levels[0];
    let [low, high] = [0, size];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (begin[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The row of the longest span that overlaps `from..to`, or -1.
  longestRow(from, to) {
    const best = { position: -1, duration: -1 };
    const top = this.levels.length - 1;
    this.#longest(top, 0, this.levels[top].size, from, to, best);
    return best.position < 0 ? -1 : this.rows[best.position];
  }

  #longest(depth, first, last, from, to, best) {
    const { begin, end, longest } = this.levels[depth];
    const leaves = this.levels[0];
    for (let i = first; i < last; i++) {
      if (begin[i] > to) return;
      if (end[i] < from) continue;
      const span = depth === 0 ? i : longest[i];
      const duration = leaves.end[span] - leaves.begin[span];
      if (duration <= best.duration) continue;
      const isInside = leaves.begin[span] <= to && leaves.end[span] >= from;
      if (isInside) Object.assign(best, { position: span, duration });
      else this.#longest(depth - 1, i * FAN, Math.min(i * FAN + FAN, this.levels[depth - 1].size), from, to, best);
    }
  }

  // Marks the rows for which `isMarked` holds. `isMarkedNode` then answers for all levels.
  mark(isMarked) {
    if (!isMarked) {
      this.marks = null;
      return;
    }
    this.marks = this.levels.map(level => new Uint8Array(level.size));
    this.rows.forEach((row, i) => {
      if (isMarked(row)) this.marks[0][i] = 1;
    });
    for (let depth = 1; depth < this.marks.length; depth++) {
      this.marks[depth - 1].forEach((mark, i) => {
        if (mark) this.marks[depth][Math.floor(i / FAN)] = 1;
      });
    }
  }

  isMarkedNode(depth, node) {
    return this.marks === null || this.marks[depth][node] === 1;
  }

  // Adds the time that spans cover, in ns, to each of the columns of `pixel` ns that begin at `from`.
  cover(columns, from, pixel) {
    const { begin, end } = this.levels[0];
    const to = from + columns.length * pixel;
    const leaf = i => {
      const first = Math.max(0, Math.floor((begin[i] - from) / pixel));
      const last = Math.min(columns.length - 1, Math.floor((end[i] - from) / pixel));
      for (let x = first; x <= last; x++) {
        const left = from + x * pixel;
        columns[x] += Math.max(0, Math.min(end[i], left + pixel) - Math.max(begin[i], left));
      }
    };
    const group = (start, sum) => {
      const x = Math.floor((start - from) / pixel);
      if (x >= 0 && x < columns.length) columns[x] += sum;
    };
    this.walk(from, to, pixel, leaf, group);
  }
}
