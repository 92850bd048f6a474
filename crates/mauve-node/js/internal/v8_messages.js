// Translates the engine's error messages to those of V8, because programs compare them. Parts that the
// engine does not report, such as the name of a value that is not a function, are taken from the source
// line.
const native = binding('errno');

exports.translateMessage = function translateMessage(error, sites, position) {
  if (!(error instanceof Error)) return;
  const descriptor = Object.getOwnPropertyDescriptor(error, 'message');
  if (descriptor === undefined || typeof descriptor.value !== 'string') return;
  const message = v8Message(descriptor.value, error, sites, position);
  if (message !== undefined) error.message = message;
};

function v8Message(message, error, sites, position) {
  if (error instanceof TypeError) {
    if (message === 'not a function' || message === 'not a constructor') return withCallee(sites[0], position, 'is not a function');
    if (message === "class constructors must be invoked with 'new'") {
      return `Class constructor ${sites[0]?.getFunctionName()} cannot be invoked without 'new'`;
    }
    if (message === 'could not delete property') return withDeletedProperty(sites[0], position);
    if (/^value is not iterable$|'Symbol.iterator' of (undefined|null)$/.test(message)) return withCallee(sites[0], position, 'is not iterable');
  }
  if (error instanceof SyntaxError && jsonText !== undefined) return jsonMessage(message, sites[0]);
  return native.translate(message);
}

// "a.b.c is not a function": takes the expression from the source. The reported position is that of the last name
// of the callee, of `new`, or else of the opening parenthesis.
function withCallee(site, position, problem) {
  const file = site?.getFileName();
  if (!file?.startsWith('/') && file !== '[eval]') return undefined;
  const { line, column } = position(site);
  const text = sourceLine(file, line);
  // The engine has no position for some values that are not iterable.
  if (text === undefined || (problem === 'is not iterable' && column === 1)) return undefined;
  const [created] = /^new\s+[\w$]+(?:\.[\w$]+)*/.exec(text.slice(column - 1)) ?? [];
  if (created !== undefined) return `${created.slice(3).trim()} is not a constructor`;
  const [name] = (problem === 'is not iterable' ? /^[#\w$.]*/ : /^[#\w$]*/).exec(text.slice(column - 1));
  const before = lastLines.slice(Math.max(0, line - MAX_CALL_LINES), line - 1).join('\n');
  const callee = native.callee(`${before}\n${text.slice(0, column - 1)}${name}`);
  return callee && `${callee} ${problem}`;
}

// "Cannot delete property 'b' of #<A>": the property and the global object are taken from the source.
function withDeletedProperty(site, position) {
  const file = site?.getFileName();
  const text = file && sourceLine(file, position(site).line);
  const [, object, name] = /\bdelete\s+([\w$]+)\.([\w$]+)/.exec(text ?? '') ?? [];
  return name && `Cannot delete property '${name}' of #<${globalThis[object]?.constructor?.name ?? 'Object'}>`;
}

// How many lines before the call its callee may begin.
const MAX_CALL_LINES = 20;
let lastFile;
let lastLines;

function sourceLine(file, line) {
  if (file !== lastFile) {
    try {
      const text = file === '[eval]' ? binding('host').eval : binding('modules').read(file);
      lastLines = text.split('\n');
      lastFile = file;
    } catch {
      return undefined;
    }
  }
  return lastLines[line - 1];
}

exports.sourceLine = sourceLine;

// The text that JSON.parse is parsing, and whether its argument was a string.
let jsonText;
let isJsonString;

exports.install = function install() {
  const original = JSON.parse;
  JSON.parse = function parse(text, reviver) {
    const outer = jsonText;
    jsonText = String(text);
    isJsonString = typeof text === 'string';
    try {
      return original(jsonText, reviver);
    } finally {
      jsonText = outer;
    }
  };
};

// How many characters are shown before and after the error.
const CONTEXT_LENGTH = 10;

function jsonMessage(message, site) {
  if (!/^unexpected (token|character)/i.test(message) || site === undefined) return message;
  if (!isJsonString) return `"${jsonText}" is not valid JSON`;
  const lines = jsonText.split('\n').slice(0, site.getLineNumber() - 1);
  let at = lines.reduce((sum, line) => sum + line.length + 1, 0) + site.getColumnNumber() - 1;
  if (at >= jsonText.length) return 'Unexpected end of JSON input';
  // In a misspelled literal the error is at the first wrong character.
  const literal = ['null', 'true', 'false'].find((known) => known[0] === jsonText[at]);
  for (let i = 0; literal !== undefined && jsonText[at] === literal[i]; i++) at++;
  let shown = `"${jsonText}"`;
  if (jsonText.length > 2 * CONTEXT_LENGTH) {
    const [from, to] = [Math.max(0, at - CONTEXT_LENGTH), Math.min(jsonText.length, at + CONTEXT_LENGTH)];
    shown = `${from > 0 ? '...' : ''}"${jsonText.slice(from, to)}"${to < jsonText.length ? '...' : ''}`;
  }
  return `Unexpected token '${jsonText[at]}', ${shown} is not valid JSON`;
}
