// Finds the source text of a failed `assert(...)`, for its message.

// The maximum distance to the start of a call, and the maximum length of its name.
const MAX_CALL_LENGTH = 4000;
const MAX_NAME_LENGTH = 200;

// The end of the call that begins at `start`: its closing bracket.
function endOfCall(source, start) {
  let depth = 0;
  for (let i = start; i < source.length; i++) {
    const char = source[i];
    if (char === '"' || char === "'" || char === '`') {
      i = endOfString(source, i, char);
    } else if (char === '/' && (source[i + 1] === '/' || source[i + 1] === '*')) {
      const end = source[i + 1] === '/' ? source.indexOf('\n', i) : source.indexOf('*/', i + 2) + 1;
      if (end <= 0) return -1;
      i = end;
    } else if ('([{'.includes(char)) {
      depth += 1;
    } else if (')]}'.includes(char)) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

function endOfString(source, start, mark) {
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === '\\') i += 1;
    else if (source[i] === mark) return i;
  }
  return source.length;
}

const CALL = /[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*\s*\(/g;

// The call around `position`, which the engine reports somewhere inside the call.
// The nearest one with the name of the assertion is preferred.
function callAround(source, position, name) {
  const window = Math.max(0, position - MAX_CALL_LENGTH);
  let nearest;
  for (const match of [...source.slice(window, position + MAX_NAME_LENGTH).matchAll(CALL)].reverse()) {
    const start = window + match.index;
    if (start > position) continue;
    const end = endOfCall(source, start + match[0].length - 1);
    if (end <= position) continue;
    const called = /([\w$]+)\s*\($/.exec(match[0])[1];
    if (called === name) return { start, end };
    nearest ??= { start, end };
  }
  return nearest;
}

// Removes the indentation of the first line from the others.
function outdent(text, indentation) {
  return text.split('\n').map((line, i) => {
    if (i === 0) return line;
    const own = line.search(/\S|$/);
    return line.slice(Math.min(own, indentation));
  }).join('\n  ');
}

function callSite(above) {
  const previous = Error.prepareStackTrace;
  const limit = Error.stackTraceLimit;
  try {
    Error.stackTraceLimit = 20;
    Error.prepareStackTrace = (_, sites) => sites;
    const holder = {};
    Error.captureStackTrace(holder, above);
    return Array.isArray(holder.stack) ? holder.stack[0] : undefined;
  } finally {
    Error.prepareStackTrace = previous;
    Error.stackTraceLimit = limit;
  }
}

// The message that quotes the call, undefined if its source cannot be read.
function describeCall(above) {
  const site = callSite(above);
  const file = site?.getFileName();
  if (!file || file.startsWith('node:')) return undefined;
  let source;
  try {
    const path = file.startsWith('file:') ? require('internal/url').fileURLToPath(file) : file;
    source = require('fs').readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const { line, column } = require('internal/stack').position(site);
  const lines = source.split('\n');
  if (lines.length < line) return undefined;
  const position = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, column - 1);
  const call = callAround(source, position, above.name);
  if (call === undefined) return undefined;
  const indentation = call.start - (source.lastIndexOf('\n', call.start) + 1);
  return `The expression evaluated to a falsy value:\n\n  ${outdent(source.slice(call.start, call.end), indentation)}\n`;
}

module.exports = { describeCall };
