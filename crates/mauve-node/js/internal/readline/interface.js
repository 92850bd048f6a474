// readline's Interface: lines out of a stream, and on a terminal a line that can be edited.

const EventEmitter = require('events');
const { codes } = require('internal/errors');
const validators = require('internal/validators');

// Where one line ends and the next begins.
const LINE_END = /\r\n|\n|\r(?!\n)|\u2028|\u2029/g;
const MIN_CRLF_DELAY = 100;

class Interface extends EventEmitter {
  #decoder;
  #rest = null;
  #sawReturnAt = 0;
  #question = null;
  #prompt = '> ';
  #oldPrompt;
  #detach;
  #editor = null;
  #iterator = null;

  constructor(input, output, completer, terminal) {
    super();
    let options = {};
    if (input?.input) {
      options = input;
      ({ input, output, completer, terminal } = options);
      if (options.signal) validators.validateAbortSignal(options.signal, 'options.signal');
    }
    if (completer !== undefined && typeof completer !== 'function') throw new codes.ERR_INVALID_ARG_VALUE('completer', completer);
    const { history = [], historySize = 30, crlfDelay, prompt, tabSize, signal } = options;
    if (history !== undefined) validators.validateArray(history, 'history');
    if (typeof historySize !== 'number' || Number.isNaN(historySize) || historySize < 0) {
      throw new codes.ERR_INVALID_ARG_VALUE('historySize', historySize);
    }
    if (tabSize !== undefined) validators.validateInteger(tabSize, 'tabSize', 1);
    this.line = '';
    this.cursor = 0;
    this.input = input;
    this.output = output;
    this.completer = completer;
    this.terminal = !!(terminal ?? output?.isTTY);
    this.history = history;
    this.historySize = historySize;
    this.removeHistoryDuplicates = !!options.removeHistoryDuplicates;
    this.crlfDelay = crlfDelay ? Math.max(MIN_CRLF_DELAY, crlfDelay) : MIN_CRLF_DELAY;
    this.tabSize = tabSize ?? 8;
    this.closed = false;
    this.paused = false;
    if (prompt !== undefined) this.#prompt = `${prompt}`;
    this.#detach = this.terminal ? this.#listenToKeys() : this.#listenToBytes();
    if (signal) this.#closeWith(signal);
    input.resume();
  }

  #listenToBytes() {
    const { input } = this;
    const { StringDecoder } = require('string_decoder');
    this.#decoder = new StringDecoder('utf8');
    const onData = (chunk) => this.#take(chunk);
    const onEnd = () => {
      if (typeof this.#rest === 'string' && this.#rest.length > 0) this.emit('line', this.#rest);
      this.close();
    };
    const onError = (err) => this.emit('error', err);
    input.on('error', onError);
    input.on('data', onData);
    input.on('end', onEnd);
    return () => {
      input.removeListener('error', onError);
      input.removeListener('data', onData);
      input.removeListener('end', onEnd);
    };
  }

  #listenToKeys() {
    const { Editor } = require('internal/readline/editor');
    this.#editor = new Editor(this);
    return this.#editor.attach(() => this.close());
  }

  #closeWith(signal) {
    const onAbort = () => this.close();
    if (signal.aborted) {
      process.nextTick(onAbort);
    } else {
      signal.addEventListener('abort', onAbort, { once: true });
      this.once('close', () => signal.removeEventListener('abort', onAbort));
    }
  }

  // Bytes that have come: whole lines are told, the rest waits.
  #take(chunk) {
    if (chunk === undefined) return;
    let text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    if (this.#sawReturnAt && Date.now() - this.#sawReturnAt <= this.crlfDelay) {
      // The second half of a line end that was cut in two.
      if (text.charCodeAt(0) === 10) text = text.slice(1);
      this.#sawReturnAt = 0;
    }
    LINE_END.lastIndex = 0;
    let end = LINE_END.exec(text);
    if (end === null) {
      if (text) this.#rest = (this.#rest ?? '') + text;
      return;
    }
    if (this.#rest) {
      text = this.#rest + text;
      this.#rest = null;
      LINE_END.lastIndex = 0;
      end = LINE_END.exec(text);
    }
    this.#sawReturnAt = text.endsWith('\r') ? Date.now() : 0;
    const lines = [];
    let begin = 0;
    while (end !== null) {
      lines.push(text.slice(begin, end.index));
      begin = LINE_END.lastIndex;
      end = LINE_END.exec(text);
    }
    const rest = text.slice(begin);
    this.#rest = rest.length > 0 ? rest : null;
    for (const line of lines) this._onLine(line);
  }

  // A whole line: the answer to a question, or for everybody.
  _onLine(line) {
    if (this.#question) {
      const answered = this.#question;
      this.#question = null;
      this.setPrompt(this.#oldPrompt);
      answered(line);
    } else {
      this.emit('line', line);
    }
  }

  getPrompt() {
    return this.#prompt;
  }

  setPrompt(prompt) {
    this.#prompt = `${prompt}`;
  }

  prompt(preserveCursor) {
    if (this.paused) this.resume();
    if (this.terminal && process.env.TERM !== 'dumb') {
      if (!preserveCursor) this.cursor = 0;
      this.#editor.refresh();
    } else {
      this._write(this.#prompt);
    }
  }

  _write(text) {
    if (this.output !== null && this.output !== undefined) this.output.write(text);
  }

  question(query, options, callback) {
    callback = typeof options === 'function' ? options : callback;
    if (this.closed) throw useAfterClose();
    const { signal } = (typeof options === 'object' && options) || {};
    if (signal) {
      validators.validateAbortSignal(signal, 'options.signal');
      if (signal.aborted) return;
      const onAbort = () => this.#giveUp();
      signal.addEventListener('abort', onAbort, { once: true });
      const answered = callback;
      callback = (answer) => {
        signal.removeEventListener('abort', onAbort);
        answered(answer);
      };
    }
    if (typeof callback !== 'function') return;
    this._ask(query, callback);
  }

  _ask(query, callback) {
    if (this.closed) throw useAfterClose();
    if (this.#question) {
      this.prompt();
      return;
    }
    this.#oldPrompt = this.#prompt;
    this.setPrompt(query);
    this.#question = callback;
    this.prompt();
  }

  _giveUp() {
    this.#giveUp();
  }

  #giveUp() {
    this.#question = null;
    this.setPrompt(this.#oldPrompt);
    this.clearLine();
  }

  // Leaves the line as it is, and begins another.
  clearLine() {
    if (this.#editor) this.#editor.toEnd();
    this._write('\r\n');
    this.line = '';
    this.cursor = 0;
  }

  write(data, key) {
    if (this.closed) throw useAfterClose();
    if (this.paused) this.resume();
    if (this.terminal) this.#editor.type(data, key);
    else this.#take(data);
  }

  pause() {
    if (this.paused) return undefined;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  }

  resume() {
    if (!this.paused) return undefined;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  }

  close() {
    if (this.closed) return;
    this.pause();
    this.#detach();
    if (this.terminal) this.#editor.setRaw(false);
    this.closed = true;
    this.emit('close');
  }

  getCursorPos() {
    const columns = this.output?.columns || Infinity;
    const at = this.#prompt.length + this.cursor;
    return Number.isFinite(columns) ? { cols: at % columns, rows: Math.floor(at / columns) } : { cols: at, rows: 0 };
  }

  [Symbol.asyncIterator]() {
    this.#iterator ??= new LineIterator(this);
    return this.#iterator;
  }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')]() {
    this.close();
  }
}

function useAfterClose() {
  return new codes.ERR_USE_AFTER_CLOSE('readline');
}

// Lines as they are asked for. Input is paused while too many wait.
class LineIterator {
  #lines = [];
  #waiting = [];
  #rl;
  #over = false;
  #failure = null;

  constructor(rl) {
    this.#rl = rl;
    this.#over = rl.closed;
    rl.on('line', (line) => {
      const next = this.#waiting.shift();
      if (next) next.resolve({ value: line, done: false });
      else this.#lines.push(line);
      if (this.#lines.length >= 1024) rl.pause();
    });
    rl.on('close', () => this.#finish());
    rl.on('error', (err) => {
      this.#failure = err;
      this.#finish();
    });
  }

  #finish() {
    this.#over = true;
    for (const next of this.#waiting.splice(0)) {
      if (this.#failure) next.reject(this.#failure);
      else next.resolve({ value: undefined, done: true });
    }
  }

  next() {
    if (this.#lines.length > 0) {
      const value = this.#lines.shift();
      if (this.#lines.length === 0 && this.#rl.paused && !this.#rl.closed) this.#rl.resume();
      return Promise.resolve({ value, done: false });
    }
    if (this.#failure) {
      const err = this.#failure;
      this.#failure = null;
      return Promise.reject(err);
    }
    if (this.#over) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  return() {
    this.#lines = [];
    this.#over = true;
    this.#rl.close();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

module.exports = { Interface, useAfterClose };
