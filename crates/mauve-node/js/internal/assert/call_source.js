// Finds the source text of a failed `assert(...)`, for its message.
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
  const call = binding('util').findCall(source, line, column, above.name);
  return call && `The expression evaluated to a falsy value:\n\n  ${call}\n`;
}

module.exports = { describeCall };
