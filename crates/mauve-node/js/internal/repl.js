// The REPL: evaluates lines and prints the results. Incomplete input is continued on the next line.

const { runScript } = binding('host');
const { writeText } = binding('stdio');
const { inspect } = require('internal/util/inspect');

exports.start = function start() {
  const main = require('internal/modules/main');
  const module = main.createMain('<repl>');
  globalThis.module = module;
  globalThis.exports = module.exports;
  globalThis.require = require('internal/modules/cjs').createRequire(module.filename);
  main.defineModuleGlobals();

  const terminal = process.stdin.isTTY === true;
  if (terminal) writeText(1, `mauve ${process.versions.mauve}: JavaScript on an event loop. Ctrl-D ends.\n`);
  const lines = require('readline').createInterface({ input: process.stdin, terminal: false });
  const prompt = (text) => { if (terminal) writeText(1, text); };
  prompt('> ');
  // Lines from a pipe arrive faster than they are evaluated, so they are queued.
  let last = Promise.resolve();
  let buffered = '';
  lines.on('line', (line) => { last = last.then(() => evaluateLine(line)); });
  lines.on('close', () => last.then(() => process.exit()));

  async function evaluateLine(line) {
    if (buffered === '' && line.trim() === '.exit') process.exit();
    buffered += `${line}\n`;
    const outcome = await run(buffered);
    if (outcome === undefined) {
      prompt('... ');
      return;
    }
    writeText(1, outcome);
    buffered = '';
    prompt('> ');
  }
};

// Returns the output, or undefined if the input is incomplete.
async function run(text) {
  try {
    const value = await evaluate(text);
    globalThis._ = value.result;
    return `${inspect(value.result, { colors: process.stdout.isTTY === true })}\n`;
  } catch (error) {
    if (error instanceof SyntaxError && isIncomplete(error)) return undefined;
    return `Uncaught ${inspect(error)}\n`;
  }
}

async function evaluate(text) {
  // Input that starts with a brace is an object literal if it can be parsed as one.
  if (/^\s*\{/.test(text) && !/;\s*$/.test(text)) {
    try {
      return { result: runScript(`(${text})`, 'REPL') };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  if (/\bawait\b/.test(text)) {
    try {
      return { result: await runScript(`(async () => (${text.replace(/;\s*$/, '')}\n))()`, 'REPL') };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return { result: runScript(text, 'REPL') };
}

function isIncomplete(error) {
  return /unexpected end|unterminated|expecting '[})\]]'|end of (input|file)|unexpected token in expression: ''/i
    .test(error.message);
}
