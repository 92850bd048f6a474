// The prompt: evaluates lines and prints the results. Incomplete input is continued on the next line.
const fs = require('fs');
const { interruptible, runScript } = binding('host');
const { inspect } = require('internal/util/inspect');
const HISTORY_SIZE = 1000;
const VALUE = Symbol.for('mauve.repl.value');
const HELP = `.break    Sometimes you get stuck, this gets you out
.clear    Alias for .break
.exit     Exit the REPL
.help     Print this help message
.load     Load JS from a file into the REPL session
.save     Save all evaluated commands in this REPL session to a file

Press Ctrl+C to abort current expression, Ctrl+D to exit the REPL
`;

exports.start = function start() {
  const main = require('internal/modules/main');
  const module = main.createMain('<repl>');
  globalThis.module = module;
  globalThis.exports = module.exports;
  globalThis.require = require('internal/modules/cjs').createRequire(module.filename);
  main.defineModuleGlobals();
  const terminal = process.stdin.isTTY === true;
  const write = (text) => { process.stdout.write(text); };
  if (terminal) write(`mauve ${process.versions.mauve}: JavaScript on an event loop. ".help" lists the commands, Ctrl-D ends.\n`);
  const file = process.env.NODE_REPL_HISTORY ?? require('path').join(require('os').homedir(), '.mauve_repl_history');
  const history = terminal && file !== '' ? readHistory(file) : [];
  const lines = require('readline').createInterface({ input: process.stdin, output: terminal ? process.stdout : undefined, terminal,
    completer: complete, history, historySize: HISTORY_SIZE, removeHistoryDuplicates: true });
  if (terminal && file !== '') lines.on('history', (list) => writeHistory(file, list));
  const prompt = (text) => {
    lines.setPrompt(text);
    if (terminal) lines.prompt();
  };
  // Lines from a pipe arrive faster than they are evaluated, so they are queued.
  let last = Promise.resolve();
  let buffered = '';
  let isWarned = false;
  const session = [];
  const clear = () => { buffered = ''; };
  const commands = {
    '.break': clear, '.clear': clear, '.exit': () => process.exit(), '.help': () => write(HELP),
    '.load': async (name) => { for (const line of fs.readFileSync(name, 'utf8').split('\n')) await evaluateLine(line, false); },
    '.save': (name) => { fs.writeFileSync(name, session.join('')); },
  };
  prompt('> ');
  lines.on('line', (line) => { last = last.then(() => evaluateLine(line)); });
  lines.on('close', () => last.then(() => process.exit()));
  lines.on('SIGINT', () => {
    if (isWarned) process.exit();
    isWarned = buffered === '' && lines.line === '';
    write(isWarned ? '\n(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n' : '\n');
    Object.assign(lines, { line: '', cursor: 0 });
    clear();
    prompt('> ');
  });

  async function evaluateLine(line, asks = true) {
    isWarned = false;
    const [word, name] = line.trim().split(/\s+/, 2);
    if (Object.hasOwn(commands, word)) {
      try {
        await commands[word](name);
      } catch (error) {
        write(`Failed to run ${word}: ${error.message}\n`);
      }
    } else if (/^\.[a-z]+$/i.test(word) && buffered === '') write('Invalid REPL keyword\n');
    else {
      buffered += `${line}\n`;
      const outcome = await run(buffered, terminal);
      if (outcome === undefined) {
        if (asks) prompt('... ');
        return;
      }
      session.push(buffered);
      write(outcome);
      clear();
    }
    if (asks) prompt('> ');
  }
};

function readHistory(file) {
  try {
    return fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(0, HISTORY_SIZE);
  } catch {
    return [];
  }
}

function writeHistory(file, list) {
  try {
    fs.writeFileSync(file, list.join('\n'), { mode: 0o600 });
  } catch {
    // The history of this session is lost.
  }
}

// The names that begin with the last word of a line: of commands, of properties, or of globals.
function complete(line) {
  if (/^\s*\.\w*$/.test(line)) return [HELP.match(/^\.\w+/gm).filter((name) => name.startsWith(line.trim())), line.trim()];
  const [word, path, start] = /(?:([\w$]+(?:\.[\w$]+)*)\.)?([\w$]*)$/.exec(line);
  const names = new Set();
  try {
    for (let at = path === undefined ? globalThis : Object(runScript(path, 'REPL')); at; at = Object.getPrototypeOf(at)) {
      for (const name of Object.getOwnPropertyNames(at)) if (name.startsWith(start) && /^[A-Za-z_$][\w$]*$/.test(name)) names.add(name);
    }
  } catch {
    // There is no such object.
  }
  return [[...names].sort().map((name) => (path === undefined ? name : `${path}.${name}`)), word];
}

// Returns the output, or undefined if the input is incomplete. Ctrl-C ends the evaluation, so the terminal sends signals.
async function run(text, terminal) {
  const { promise: interrupted, reject } = Promise.withResolvers();
  const stop = () => reject(new Error('Script execution was interrupted by `SIGINT`'));
  interrupted.catch(() => {});
  if (terminal) {
    process.stdin.setRawMode(false);
    process.on('SIGINT', stop);
  }
  try {
    const value = await Promise.race([evaluate(text), interrupted]);
    globalThis._ = value.result;
    return `${inspect(value.result, { colors: process.stdout.isTTY === true })}\n`;
  } catch (error) {
    if (error instanceof SyntaxError && isIncomplete(error)) return undefined;
    return `Uncaught ${inspect(error).replace(/\n {4}at .*\(?node:internal.*/g, '')}\n`;
  } finally {
    if (terminal) {
      process.off('SIGINT', stop);
      process.stdin.setRawMode(true);
    }
  }
}

// Without a terminal, Ctrl-C ends the process.
const execute = (text) => process.stdin.isTTY ? interruptible(() => runScript(text, 'REPL')) : runScript(text, 'REPL');

// The value of a text, if it is one of the grammar's alternatives.
function attempt(work) {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

async function evaluate(text) {
  // Input that starts with a brace is an object literal if it can be parsed as one.
  const object = /^\s*\{/.test(text) && !/;\s*$/.test(text) ? attempt(() => execute(`(${text})`)) : undefined;
  if (object) return object;
  if (!/\bawait\b/.test(text)) return { result: execute(text) };
  const [, kind, rest] = /^\s*(const|let|var)\s+([\s\S]*)$/.exec(text) ?? [];
  const [pattern, value] = kind === undefined ? [undefined, text] : splitDeclaration(rest);
  const found = attempt(() => execute(`(async () => (${value.replace(/;\s*$/, '')}\n))()`)) ?? attempt(() => execute(`(async () => {${text}\n})()`));
  if (!found) return { result: execute(text) };
  const result = await found.result;
  if (pattern === undefined) return { result };
  globalThis[VALUE] = result;
  return { result: execute(`${kind} ${pattern} = globalThis[Symbol.for('mauve.repl.value')];`) };
}

// The pattern and the value of a declaration: the parts around the first `=` that is in no brackets.
function splitDeclaration(text) {
  let depth = 0;
  const at = [...text].findIndex((character) => {
    depth += '{[('.includes(character) - '}])'.includes(character);
    return character === '=' && depth === 0;
  });
  return [text.slice(0, at), text.slice(at + 1)];
}

function isIncomplete(error) {
  return /unexpected end|unterminated|expecting '[})\]]'|end of (input|file)|unexpected token in expression: ''/i.test(error.message);
}
