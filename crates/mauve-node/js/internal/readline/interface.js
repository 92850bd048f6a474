// readline.Interface: splits a stream into lines. On a terminal it uses the line editor.
const EventEmitter = require('events');
const { onAbort, onAbortUntil } = require('internal/abort');
const { codes } = require('internal/errors');
const validators = require('internal/validators');
const LINE_BREAK = /\r\n|[\n\u2028\u2029]|\r(?!\n)/g;
const MIN_CRLF_DELAY = 100;

class Interface extends EventEmitter {
  #decoder;
  #partialLine = null;
  #lastReturnTime = 0;
  #questionCallback = null;
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
    this.escapeCodeTimeout = options.escapeCodeTimeout === undefined ? 500 : options.escapeCodeTimeout;
    if (!Number.isFinite(this.escapeCodeTimeout)) throw new codes.ERR_INVALID_ARG_VALUE('input.escapeCodeTimeout', this.escapeCodeTimeout);
    this.closed = false;
    this.paused = false;
    if (prompt !== undefined) this.#prompt = `${prompt}`;
    this.#detach = this.terminal ? this.#listenToKeypress() : this.#listenToData();
    if (signal) onAbortUntil(signal, this, 'close', () => this.close());
    input.resume();
  }

  #listenToData() {
    const { input } = this;
    const { StringDecoder } = require('string_decoder');
    this.#decoder = new StringDecoder('utf8');
    const onData = (chunk) => this.#onData(chunk);
    const onEnd = () => {
      if (typeof this.#partialLine === 'string' && this.#partialLine.length > 0) this.emit('line', this.#partialLine);
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

  #listenToKeypress() {
    const { Editor } = require('internal/readline/editor');
    this.#editor = new Editor(this);
    return this.#editor.attach(() => this.close());
  }

  // Emits the complete lines of a chunk and keeps the rest.
  #onData(chunk) {
    if (chunk === undefined) return;
    let text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    if (this.#lastReturnTime && Date.now() - this.#lastReturnTime <= this.crlfDelay) {
      // The LF of a CRLF that was split between two chunks.
      if (text.charCodeAt(0) === 10) text = text.slice(1);
      this.#lastReturnTime = 0;
    }
    LINE_BREAK.lastIndex = 0;
    let end = LINE_BREAK.exec(text);
    if (end === null) {
      if (text) this.#partialLine = (this.#partialLine ?? '') + text;
      return;
    }
    if (this.#partialLine) {
      text = this.#partialLine + text;
      this.#partialLine = null;
      LINE_BREAK.lastIndex = 0;
      end = LINE_BREAK.exec(text);
    }
    this.#lastReturnTime = text.endsWith('\r') ? Date.now() : 0;
    const lines = [];
    let begin = 0;
    while (end !== null) {
      lines.push(text.slice(begin, end.index));
      begin = LINE_BREAK.lastIndex;
      end = LINE_BREAK.exec(text);
    }
    const rest = text.slice(begin);
    this.#partialLine = rest.length > 0 ? rest : null;
    for (const line of lines) this._onLine(line);
  }

  // Passes a line to the callback of question(), or emits 'line'.
  _onLine(line) {
    const callback = this.#questionCallback;
    if (!callback) {
      this.emit('line', line);
      return;
    }
    this.#questionCallback = null;
    this.setPrompt(this.#oldPrompt);
    callback(line);
  }

  getPrompt() { return this.#prompt; }
  setPrompt(prompt) { this.#prompt = `${prompt}`; }

  prompt(preserveCursor) {
    if (this.paused) this.resume();
    const isEditable = this.terminal && process.env.TERM !== 'dumb';
    if (!isEditable) {
      this._write(this.#prompt);
      return;
    }
    if (!preserveCursor) this.cursor = 0;
    this.#editor.refresh();
  }

  _write(text) { if (this.output !== null && this.output !== undefined) this.output.write(text); }

  question(query, options, callback) {
    callback = typeof options === 'function' ? options : callback;
    if (this.closed) throw useAfterClose();
    const { signal } = (typeof options === 'object' && options) || {};
    if (signal) {
      validators.validateAbortSignal(signal, 'options.signal');
      if (signal.aborted) return;
      const release = onAbort(signal, () => this._cancelQuestion());
      const original = callback;
      callback = (line) => {
        release();
        original(line);
      };
    }
    if (typeof callback !== 'function') return;
    this._setQuestion(query, callback);
  }

  _setQuestion(query, callback) {
    if (this.closed) throw useAfterClose();
    if (this.#questionCallback) {
      this.prompt();
      return;
    }
    this.#oldPrompt = this.#prompt;
    this.setPrompt(query);
    this.#questionCallback = callback;
    this.prompt();
  }

  _cancelQuestion() {
    this.#questionCallback = null;
    this.setPrompt(this.#oldPrompt);
    this.clearLine();
  }

  // Moves to a new line and clears the input.
  clearLine() {
    if (this.#editor) this.#editor.moveToEnd();
    this._write('\r\n');
    this.line = '';
    this.cursor = 0;
  }

  write(data, key) {
    if (this.closed) throw useAfterClose();
    if (this.paused) this.resume();
    if (this.terminal) this.#editor.onKeypress(data, key);
    else this.#onData(data);
  }

  pause() { return this.#setPaused('pause', true); }
  resume() { return this.#setPaused('resume', false); }

  // `method` is also the event. Returns undefined if nothing changes.
  #setPaused(method, paused) {
    if (this.paused === paused) return undefined;
    this.input[method]();
    this.paused = paused;
    this.emit(method);
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
    if (!Number.isFinite(columns)) return { cols: at, rows: 0 };
    return { cols: at % columns, rows: Math.floor(at / columns) };
  }

  [Symbol.asyncIterator]() {
    const options = { close: ['close'], highWaterMark: 1024, [Symbol.for('mauve.firstArgument')]: true };
    this.#iterator ??= EventEmitter.on(this, 'line', options);
    return this.#iterator;
  }

  [Symbol.dispose ?? Symbol.for('nodejs.dispose')]() { this.close(); }
}

function useAfterClose() { return new codes.ERR_USE_AFTER_CLOSE('readline'); }

module.exports = { Interface, useAfterClose };
