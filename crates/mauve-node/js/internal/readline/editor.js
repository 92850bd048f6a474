// The line editor of readline on a terminal: keys, history and completion.
const { clearScreenDown, cursorTo, moveCursor } = require('internal/readline/callbacks');
const { emitKeypressEvents, isPrintable } = require('internal/readline/emit_keypress_events');

class Editor {
  #rl;
  #historyIndex = -1;
  #rows = 0;

  constructor(rl) { this.#rl = rl; }

  // Listens to 'keypress'. Returns a function that removes the listeners.
  attach(onEnd) {
    const { input } = this.#rl;
    emitKeypressEvents(input, this.#rl);
    const onKey = (text, key) => this.onKeypress(text, key);
    const ended = () => {
      if (this.#rl.line.length > 0) this.#rl.emit('line', this.#rl.line);
      onEnd();
    };
    input.on('keypress', onKey);
    input.on('end', ended);
    this.setRaw(true);
    return () => {
      input.removeListener('keypress', onKey);
      input.removeListener('end', ended);
    };
  }

  setRaw(on) {
    const { input } = this.#rl;
    if (typeof input.setRawMode === 'function') input.setRawMode(on);
  }

  // Redraws the prompt and the line, and positions the cursor.
  refresh() {
    const rl = this.#rl;
    const columns = rl.output?.columns || Infinity;
    const text = rl.getPrompt() + rl.line;
    if (this.#rows > 0) moveCursor(rl.output, 0, -this.#rows);
    cursorTo(rl.output, 0);
    clearScreenDown(rl.output);
    rl._write(text);
    const end = displayPosition(text.length, columns);
    if (end.cols === 0 && text.length > 0) rl._write(' ');
    const now = rl.getCursorPos();
    cursorTo(rl.output, now.cols);
    if (end.rows > now.rows) moveCursor(rl.output, 0, now.rows - end.rows);
    this.#rows = now.rows;
  }

  onKeypress(text, key = {}) {
    if (key.ctrl && !key.meta) {
      if (this.#onControlKey(key.name)) return;
    } else if (key.meta ? this.#onMetaKey(key.name) : this.#onNamedKey(key.name)) {
      return;
    }
    if (typeof text !== 'string' || text.length === 0) return;
    // Pasted text may contain line breaks.
    const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
    lines.forEach((line, i) => {
      if (i > 0) this.#submitLine();
      if (line.length > 0 && isPrintable(line)) this.#insert(line);
    });
  }

  #onControlKey(name) {
    const rl = this.#rl;
    switch (name) {
      case 'c':
        if (rl.listenerCount('SIGINT') > 0) rl.emit('SIGINT');
        else rl.close();
        return true;
      case 'd':
        if (rl.cursor === 0 && rl.line.length === 0) rl.close();
        else this.#deleteRange(rl.cursor, rl.cursor + 1);
        return true;
      case 'h': this.#deleteRange(rl.cursor - 1, rl.cursor); return true;
      case 'u': this.#deleteRange(0, rl.cursor); return true;
      case 'k': this.#deleteRange(rl.cursor, rl.line.length); return true;
      case 'w': this.#deleteRange(this.#previousWordStart(), rl.cursor); return true;
      case 'a': this.#move(0); return true;
      case 'e': this.#move(rl.line.length); return true;
      case 'b': this.#move(rl.cursor - 1); return true;
      case 'f': this.#move(rl.cursor + 1); return true;
      case 'left': this.#move(this.#previousWordStart()); return true;
      case 'right': this.#move(this.#nextWordStart()); return true;
      case 'l':
        cursorTo(rl.output, 0, 0);
        clearScreenDown(rl.output);
        this.refresh();
        return true;
      case 'p': this.#moveInHistory(1); return true;
      case 'n': this.#moveInHistory(-1); return true;
      case 'z':
        if (rl.listenerCount('SIGTSTP') > 0) rl.emit('SIGTSTP');
        return true;
      default: return true;
    }
  }

  #onMetaKey(name) {
    const rl = this.#rl;
    switch (name) {
      case 'b': this.#move(this.#previousWordStart()); return true;
      case 'f': this.#move(this.#nextWordStart()); return true;
      case 'd':
      case 'delete': this.#deleteRange(rl.cursor, this.#nextWordStart()); return true;
      case 'backspace': this.#deleteRange(this.#previousWordStart(), rl.cursor); return true;
      default: return false;
    }
  }

  #onNamedKey(name) {
    const rl = this.#rl;
    switch (name) {
      case 'return':
      case 'enter': this.#submitLine(); return true;
      case 'backspace': this.#deleteRange(rl.cursor - 1, rl.cursor); return true;
      case 'delete': this.#deleteRange(rl.cursor, rl.cursor + 1); return true;
      case 'left': this.#move(rl.cursor - 1); return true;
      case 'right': this.#move(rl.cursor + 1); return true;
      case 'home': this.#move(0); return true;
      case 'end': this.#move(rl.line.length); return true;
      case 'up': this.#moveInHistory(1); return true;
      case 'down': this.#moveInHistory(-1); return true;
      case 'tab':
        if (typeof rl.completer !== 'function') return false;
        this.#complete();
        return true;
      default: return name !== undefined && name.length > 1 && name !== 'space';
    }
  }

  #submitLine() {
    const rl = this.#rl;
    const { line } = rl;
    this.#historyIndex = -1;
    rl.clearLine();
    if (line.trim().length > 0 && rl.historySize > 0 && rl.history[0] !== line) {
      if (rl.removeHistoryDuplicates) rl.history = rl.history.filter((old) => old !== line);
      rl.history.unshift(line);
      if (rl.history.length > rl.historySize) rl.history.pop();
      rl.emit('history', rl.history);
    }
    rl._onLine(line);
  }

  #insert(text) {
    const rl = this.#rl;
    const atEnd = rl.cursor === rl.line.length;
    rl.line = rl.line.slice(0, rl.cursor) + text + rl.line.slice(rl.cursor);
    rl.cursor += text.length;
    if (atEnd && rl.getCursorPos().cols !== 0) rl._write(text);
    else this.refresh();
  }

  #deleteRange(from, to) {
    const rl = this.#rl;
    if (from < 0 || from >= rl.line.length || to <= from) return;
    rl.line = rl.line.slice(0, from) + rl.line.slice(to);
    rl.cursor = Math.min(from, rl.line.length);
    this.refresh();
  }

  #move(to) {
    const rl = this.#rl;
    const before = rl.getCursorPos();
    rl.cursor = Math.max(0, Math.min(rl.line.length, to));
    const now = rl.getCursorPos();
    if (before.rows === now.rows) moveCursor(rl.output, now.cols - before.cols, 0);
    else this.refresh();
  }

  // Moves the cursor to the end, so that further output comes after the line.
  moveToEnd() {
    this.#move(Infinity);
    this.#rows = 0;
  }

  #previousWordStart() {
    const { line, cursor } = this.#rl;
    return line.slice(0, cursor).replace(/(?:\w+|[^\w\s]+|)\s*$/, '').length;
  }

  #nextWordStart() {
    const { line, cursor } = this.#rl;
    return cursor + /^(?:\s+|[^\w\s]+|\w+)\s*|$/.exec(line.slice(cursor))[0].length;
  }

  #moveInHistory(step) {
    const rl = this.#rl;
    const index = this.#historyIndex + step;
    if (index < -1 || index >= rl.history.length) return;
    this.#historyIndex = index;
    rl.line = index === -1 ? '' : rl.history[index];
    rl.cursor = rl.line.length;
    this.refresh();
  }

  #complete() {
    const rl = this.#rl;
    const before = rl.line.slice(0, rl.cursor);
    const show = (err, [completions, typed] = [[], '']) => {
      if (err || completions.length === 0) return;
      const common = completions.reduce((a, b) => {
        let i = 0;
        while (i < a.length && a[i] === b[i]) i++;
        return a.slice(0, i);
      });
      if (common.length > typed.length) this.#insert(common.slice(typed.length));
      else if (completions.length > 1) {
        rl._write(`\r\n${completions.join(rl.output?.columns ? '  ' : '\r\n')}\r\n`);
        this.#rows = 0;
        this.refresh();
      }
    };
    if (rl.completer.length === 2) rl.completer(before, show);
    else show(null, rl.completer(before));
  }
}

function displayPosition(length, columns) {
  if (!Number.isFinite(columns)) return { cols: length, rows: 0 };
  return { cols: length % columns, rows: Math.floor(length / columns) };
}

module.exports = { Editor };
