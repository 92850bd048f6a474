// Uncaught exceptions: emits 'uncaughtException'. Without a listener, prints the error and exits.
const { writeText } = binding('stdio');
const native = binding('process');

// In a worker, `report` sends an error to the parent.
const reallyExit = (code) => (exports.report ? process : native).reallyExit(code);
let captureCallback = null;

exports.setCaptureCallback = function setCaptureCallback(callback) { captureCallback = callback; };

exports.hasCaptureCallback = () => captureCallback !== null;

exports.uncaughtException = function uncaughtException(error, fromPromise) {
  // A script has removed the handler.
  if (typeof process._fatalException !== 'function') {
    print(error);
    reallyExit(6);
  }
  const origin = fromPromise ? 'unhandledRejection' : 'uncaughtException';
  try {
    if (process.listenerCount('uncaughtExceptionMonitor') > 0) process.emit('uncaughtExceptionMonitor', error, origin);
    if (captureCallback !== null) {
      captureCallback(error);
    } else if (!process.emit('uncaughtException', error, origin)) {
      return exitWithError(error);
    }
  } catch (second) {
    print(second);
    reallyExit(7);
  }
  const state = require('internal/async_state');
  state.endMain();
  state.tracker?.unwind();
  // The queues were not drained after the callback that threw. The next loop iteration drains them.
  require('timers').setImmediate(() => {});
};

function exitWithError(error) {
  (exports.report ?? print)(error);
  try {
    if (!process._exiting) {
      process._exiting = true;
      process.exitCode = 1;
      process.emit('exit', 1);
    }
  } catch {
    // A listener of 'exit' threw; the process exits anyway.
  }
  reallyExit(process.exitCode ?? 1);
}

function print(error) {
  let text;
  try {
    text = describe(error);
  } catch {
    text = 'Uncaught exception\n';
  }
  try {
    writeText(2, text);
  } catch {
    // Standard error is closed.
  }
}

function describe(error) {
  const location = sourceLocation(error);
  const { inspect } = require('internal/util/inspect');
  const text = error instanceof Error || location ? inspect(error) : `Uncaught:\n${inspect(error)}`;
  return `${location}${text}\n\nmauve ${process.versions.mauve}\n`;
}

// The line that threw, with a caret below the column.
function sourceLocation(error) {
  const { sourceLine, throwPlace } = binding('errno');
  const stack = error instanceof Error ? String(error.stack) : ` at ${throwPlace()}`;
  const match = /^\s+at (?:.*\()?((?:\/|file:\/\/).*?):(\d+):(\d+)\)?$/m.exec(stack);
  if (match === null) return '';
  const file = match[1].replace(/^file:\/\//, '');
  const line = sourceLine(file, Number(match[2]));
  if (line === undefined || line.length > 500) return '';
  // The column is that of the error; the caret should point at `throw`.
  const isWrapped = !(error instanceof Error) && match[2] === '1' && require('internal/stack').wrapped.has(file);
  const before = line.slice(0, match[3] - 1 - (isWrapped ? require('internal/stack').WRAPPER : 0)).replace(/throw\s+(new\s+)?$/, '');
  return `${file}:${match[2]}\n${line}\n${' '.repeat(before.length)}^\n${error instanceof Error ? '\n' : ''}`;
}

exports.describe = describe;
