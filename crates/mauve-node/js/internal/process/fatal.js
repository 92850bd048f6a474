// Errors that nobody caught: the script's listeners are asked, and without one the process ends
// with the error on standard error.

const { writeText } = binding('stdio');
const { reallyExit } = binding('process');

let capture = null;

exports.setCaptureCallback = function setCaptureCallback(callback) {
  capture = callback;
};

exports.hasCaptureCallback = () => capture !== null;

exports.uncaught = function uncaught(error, fromPromise) {
  const origin = fromPromise ? 'unhandledRejection' : 'uncaughtException';
  try {
    if (process.listenerCount('uncaughtExceptionMonitor') > 0) {
      process.emit('uncaughtExceptionMonitor', error, origin);
    }
    if (capture !== null) {
      capture(error);
    } else if (!process.emit('uncaughtException', error, origin)) {
      return die(error);
    }
  } catch (second) {
    print(second);
    reallyExit(7);
  }
  // The callback that threw was not followed by its ticks. A turn of the loop sees to them.
  require('timers').setImmediate(() => {});
};

function die(error) {
  print(error);
  try {
    if (!process._exiting) {
      process._exiting = true;
      process.exitCode = 1;
      process.emit('exit', 1);
    }
  } catch {
    // There is nobody left to tell.
  }
  reallyExit(process.exitCode || 1);
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
    // Nobody reads.
  }
}

function describe(error) {
  const place = source(error);
  const { inspect } = require('internal/util/inspect');
  const words = error instanceof Error
    ? inspect(error)
    : `Uncaught:\n${inspect(error)}`;
  return `${place}${words}\n\nmauve ${process.versions.mauve}\n`;
}

// The line that threw, with a caret below the column.
function source(error) {
  const stack = error instanceof Error ? String(error.stack) : '';
  const match = /^\s+at (?:.*\()?((?:\/|file:\/\/).*?):(\d+):(\d+)\)?$/m.exec(stack);
  if (match === null) return '';
  const file = match[1].replace(/^file:\/\//, '');
  const line = require('internal/phrases').lineOf(file, match[2]);
  if (line === undefined || line.length > 500) return '';
  // The engine points at what is made; people look for where it is thrown.
  const before = line.slice(0, match[3] - 1).replace(/throw\s+(new\s+)?$/, '');
  return `${file}:${match[2]}\n${line}\n${' '.repeat(before.length)}^\n\n`;
}

exports.describe = describe;
