// Finds the text of a failed `assert(...)` in its source, to quote it.

// The end of the call that begins at `start`: where its brackets are closed.
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

// Where on its line the call begins: the last name chain before `column` that
// an open bracket follows.
function startOfCall(line, column) {
  const calls = [...line.matchAll(/[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*\s*\(/g)];
  const before = calls.filter((call) => call.index < column);
  const found = before.findLast((call) => column <= call.index + call[0].length) ?? before[before.length - 1] ?? calls[0];
  return found?.index;
}

// Further lines lose the indentation of the first.
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

// `The expression evaluated to a falsy value:` with the call, or undefined if
// its source cannot be read.
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
  const text = lines[line - 1];
  if (text === undefined) return undefined;
  const start = startOfCall(text, column);
  if (start === undefined) return undefined;
  const offset = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, start);
  const end = endOfCall(source, offset);
  if (end === -1) return undefined;
  const call = outdent(source.slice(offset, end), start);
  return `The expression evaluated to a falsy value:\n\n  ${call}\n`;
}

module.exports = { describeCall };
