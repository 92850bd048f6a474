// The prompt: reads lines, runs them, prints what they are. A line that is not complete yet is
// continued on the next.

const { runScript } = binding('host');
const { writeText } = binding('stdio');
const { inspect } = require('internal/util/inspect');

exports.start = function start() {
  const Module = require('internal/modules/cjs');
  const module = new Module('<repl>');
  module.filename = require('path').join(process.cwd(), '<repl>');
  globalThis.module = module;
  globalThis.exports = module.exports;
  globalThis.require = Module.createRequire(module.filename);
  for (const id of require('internal/modules/registry').publicIds) offer(id);

  const terminal = process.stdin.isTTY === true;
  if (terminal) writeText(1, `mauve ${process.versions.mauve}: JavaScript on an event loop. Ctrl-D ends.\n`);
  const lines = require('readline').createInterface({ input: process.stdin, terminal: false });
  const prompt = (text) => { if (terminal) writeText(1, text); };
  prompt('> ');
  // Lines come faster than they are run, when they come through a pipe.
  let last = Promise.resolve();
  let pending = '';
  lines.on('line', (line) => { last = last.then(() => take(line)); });
  lines.on('close', () => last.then(() => process.exit()));

  async function take(line) {
    if (pending === '' && line.trim() === '.exit') process.exit();
    pending += `${line}\n`;
    const outcome = await run(pending);
    if (outcome === undefined) {
      prompt('... ');
      return;
    }
    writeText(1, outcome);
    pending = '';
    prompt('> ');
  }
};

// Modules are there without being required, as long as no variable has their name.
function offer(id) {
  if (id.includes('/') || id in globalThis) return;
  Object.defineProperty(globalThis, id, {
    configurable: true,
    enumerable: false,
    get: () => require('internal/modules/registry').requireBuiltin(id),
    set: (value) => Object.defineProperty(globalThis, id,
      { value, writable: true, configurable: true, enumerable: true }),
  });
}

// What to print; undefined if the text is not complete.
async function run(text) {
  try {
    const value = await evaluate(text);
    globalThis._ = value.result;
    return `${inspect(value.result, { colors: process.stdout.isTTY === true })}\n`;
  } catch (error) {
    if (error instanceof SyntaxError && isUnfinished(error)) return undefined;
    return `Uncaught ${inspect(error)}\n`;
  }
}

async function evaluate(text) {
  // What begins with a brace is meant as an object, if it is one.
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

function isUnfinished(error) {
  return /unexpected end|unterminated|expecting '[})\]]'|end of (input|file)|unexpected token in expression: ''/i
    .test(error.message);
}
