// Search by name: marks the callbacks and jobs whose function, file or kind contains the text.

export class Search {
  constructor(model) {
    this.model = model;
    this.names = null; // the matching names, or null without a search
    this.matches = []; // { table, row, begin }, in order of time
    this.at = -1;
  }

  // Looks for `text`. Without a text, nothing is marked.
  find(text) {
    const wanted = text.trim().toLowerCase();
    this.at = -1;
    this.matches = [];
    this.names = wanted === '' ? null : this.#namesWith(wanted);
    const kinds = new Set(this.model.kinds.flatMap((kind, i) => kind.includes(wanted) ? [i] : []));
    for (const { pyramid, table } of this.model.named) {
      if (wanted === '') {
        pyramid.mark(null);
        continue;
      }
      const isMatch = row => this.names.has(table.name[row]) || (table.kind !== undefined && kinds.has(table.kind[row]));
      pyramid.mark(isMatch);
      const name = table === this.model.callbacks ? 'callbacks' : 'requests';
      const { begin } = pyramid.levels[0];
      pyramid.marks[0].forEach((mark, i) => {
        if (mark) this.matches.push({ table: name, row: pyramid.rows[i], begin: begin[i] });
      });
    }
    this.matches.sort((a, b) => a.begin - b.begin);
  }

  #namesWith(wanted) {
    const isMatch = ({ function: name, location }) => name.toLowerCase().includes(wanted) || location.toLowerCase().includes(wanted);
    return new Set(this.model.names.flatMap((name, i) => isMatch(name) ? [i] : []));
  }

  // The next match, or the one before. At first, the first match after `time`.
  step(way, time) {
    const count = this.matches.length;
    if (count === 0) return null;
    if (this.at < 0) {
      const first = this.matches.findIndex(match => match.begin >= time);
      this.at = Math.max(0, first);
    } else {
      this.at = (this.at + way + count) % count;
    }
    return this.matches[this.at];
  }
}
