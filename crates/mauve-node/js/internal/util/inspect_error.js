// How util.inspect formats errors: the stack, with the class named in its first
// line, without the frames it shares with its cause. An error without a stack
// is put in brackets.
const types = require('internal/util/types');
const FRAME = '\n    at';
const isError = (value) => types.isNativeError(value) || value instanceof Error;

function stackOf(error) {
  const stack = error.stack;
  if (!stack) return Error.prototype.toString.call(error);
  const text = String(stack);
  // QuickJS stacks have no header line.
  if (/^\s+at /.test(text)) return `${Error.prototype.toString.call(error)}\n${text.replace(/\n+$/, '')}`;
  return text;
}

// Drops keys whose text is part of the stack.
function dropShownKeys(ctx, keys, error, stack) {
  if (ctx.showHidden || keys.length === 0) return;
  const isShown = (key) => typeof error[key] !== 'string' || stack.includes(error[key]);
  for (const key of ['name', 'message', 'stack']) {
    const index = keys.indexOf(key);
    if (index >= 0 && isShown(key)) keys.splice(index, 1);
  }
}

// Makes the first line name the class even if `name` does not.
function nameTheClass(stack, constructorName, name, tag, prefixOf) {
  let length = name.length;
  const startsWithName = name.endsWith('Error') && stack.startsWith(name) &&
    (stack.length === length || stack[length] === ':' || stack[length] === '\n');
  if (constructorName !== null && !startsWithName) return stack;
  let fallback = 'Error';
  if (constructorName === null) {
    const start = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/.exec(stack) || /^([\w-]*Error)$/.exec(stack);
    fallback = start?.[1] ?? '';
    length = fallback.length;
    fallback ||= 'Error';
  }
  const prefix = prefixOf(constructorName, tag, fallback).slice(0, -1);
  if (name === prefix) return stack;
  if (!prefix.includes(name)) return `${prefix} [${name}]${stack.slice(length)}`;
  return length === 0 ? `${prefix}: ${stack}` : `${prefix}${stack.slice(length)}`;
}

function commonPrefixLength(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

// The first run of more than three frames that both stacks have.
function sharedFrames(frames, causeFrames) {
  for (let offset = 0; offset + 3 < frames.length; offset++) {
    const start = causeFrames.indexOf(frames[offset]);
    const length = start === -1 ? 0 : commonPrefixLength(frames.slice(offset), causeFrames.slice(start));
    if (length > 3) return { length, offset };
  }
  return { length: 0, offset: 0 };
}

function framesOf(ctx, error, text) {
  const frames = text.split('\n');
  let cause;
  try {
    ({ cause } = error);
  } catch {
    return frames;
  }
  if (cause == null || !isError(cause)) return frames;
  const causeStack = stackOf(cause);
  const start = causeStack.indexOf(FRAME);
  if (start === -1) return frames;
  const { length, offset } = sharedFrames(frames, causeStack.slice(start + 1).split('\n'));
  if (length > 3) {
    const skipped = length - 2;
    const note = `    ... ${skipped} lines matching cause stack trace ...`;
    frames.splice(offset + 1, skipped, ctx.stylize(note, 'undefined'));
  }
  return frames;
}

// Greys the frames of built-in modules and underlines package names.
function colourFrame(ctx, line) {
  if (/\(?node:|\((internal\/)/.test(line)) return ctx.stylize(line, 'undefined');
  return line.replace(/([/\\]node_modules[/\\])([^/\\]+)/g, (_, dir, name) => `${dir}${ctx.stylize(name, 'module')}`);
}

// Drops the keys that the stack shows, and adds those that are shown although not enumerable.
function updateKeys(ctx, keys, error, stack) {
  dropShownKeys(ctx, keys, error, stack);
  const hidden = { cause: 'cause' in error, errors: Array.isArray(error.errors) };
  for (const [key, isPresent] of Object.entries(hidden)) {
    if (isPresent && !keys.includes(key)) keys.push(key);
  }
}

// Splits a stack into the message and the frames. The message may contain lines that look like frames.
function splitStack(stack, message) {
  const messageStart = message ? stack.indexOf(message) : -1;
  const framesStart = stack.indexOf(FRAME, messageStart === -1 ? -1 : messageStart + message.length);
  if (framesStart === -1) return [stack];
  return [stack.slice(0, framesStart), stack.slice(framesStart + 1)];
}

function formatError(ctx, error, constructorName, tag, keys, prefixOf) {
  const name = error.name != null ? String(error.name) : 'Error';
  const stack = stackOf(error);
  updateKeys(ctx, keys, error, stack);
  const [head, frames] = splitStack(nameTheClass(stack, constructorName, name, tag, prefixOf), error.message);
  if (frames === undefined) return indent(ctx, `[${head}]`);
  const lines = framesOf(ctx, error, frames);
  return indent(ctx, [head, ...(ctx.colors ? lines.map((line) => colourFrame(ctx, line)) : lines)].join('\n'));
}

const indent = (ctx, text) => text.replaceAll('\n', `\n${' '.repeat(ctx.indentation)}`);

module.exports = { formatError, isError };
