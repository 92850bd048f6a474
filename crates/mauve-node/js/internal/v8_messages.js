// Translates the engine's error messages to those of V8, because programs compare them. Parts that the
// engine does not report, such as the name of a value that is not a function, are taken from the source
// line.

const MESSAGES = [
  [/^cannot read property '(.*)' of (undefined|null)$/s,
    "Cannot read properties of $2 (reading '$1')"],
  [/^cannot set property '(.*)' of (undefined|null)$/s,
    "Cannot set properties of $2 (setting '$1')"],
  [/^(.+) is not initialized$/, "Cannot access '$1' before initialization"],
  [/^'(.+)' is read-only$/, 'Assignment to constant variable.'],
  [/^cannot convert symbol to string$/, 'Cannot convert a Symbol value to a string'],
  [/^cannot convert symbol to number$/, 'Cannot convert a Symbol value to a number'],
  [/^empty array$/, 'Reduce of empty array with no initial value'],
  [/^invalid array length$/, 'Invalid array length'],
  [/^cannot convert BigInt to number$/,
    'Cannot mix BigInt and other types, use explicit conversions'],
  [/^private class field '(.+)' does not exist$/,
    'Cannot read private member $1 from an object whose class did not declare it'],
  [/^circular reference$/, 'Converting circular structure to JSON'],
  [/^object is not extensible$/, 'Cannot add property, object is not extensible'],
  [/^expecting hex digit$/, 'URI malformed'],
];

exports.translateMessage = function translateMessage(error, sites, position) {
  if (!(error instanceof Error)) return;
  const descriptor = Object.getOwnPropertyDescriptor(error, 'message');
  if (descriptor === undefined || typeof descriptor.value !== 'string') return;
  const message = v8Message(descriptor.value, error, sites, position);
  if (message !== undefined) error.message = message;
};

function v8Message(message, error, sites, position) {
  if (error instanceof TypeError) {
    if (message === 'not a function') return withCallee(sites[0], position, 'is not a function');
    if (message === 'value is not iterable') return withCallee(sites[0], position, 'is not iterable');
  }
  if (error instanceof SyntaxError && jsonText !== undefined) return jsonMessage(message, sites[0]);
  for (const [pattern, replacement] of MESSAGES) {
    if (pattern.test(message)) return message.replace(pattern, replacement);
  }
  return undefined;
}

// "a.b.c is not a function": takes the expression at the reported column from the source line.
function withCallee(site, position, problem) {
  const file = site?.getFileName();
  if (!file?.startsWith('/')) return undefined;
  const { line, column } = position(site);
  const text = sourceLine(file, line);
  if (text === undefined) return undefined;
  const [rest] = /^[\w$]+(?:\??\.[\w$]+)*(?=\s*(?:\(|`|\?\.\(|[);,\s]|$))/.exec(text.slice(column - 1)) ?? [];
  if (rest === undefined) return undefined;
  const [before] = /(?:[\w$]+\??\.)*$/.exec(text.slice(0, column - 1));
  const isNew = /\bnew\s+$/.test(text.slice(0, column - 1 - before.length));
  return `${before}${rest} ${isNew && problem === 'is not a function' ? 'is not a constructor' : problem}`;
}

let lastFile;
let lastLines;

function sourceLine(file, line) {
  if (file !== lastFile) {
    try {
      lastLines = binding('modules').read(file).split('\n');
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
  const native = JSON.parse;
  JSON.parse = function parse(text, reviver) {
    const outer = jsonText;
    jsonText = String(text);
    isJsonString = typeof text === 'string';
    try {
      return native(jsonText, reviver);
    } finally {
      jsonText = outer;
    }
  };
};

// How many characters are shown before and after the error.
const CONTEXT_LENGTH = 10;

function jsonMessage(message, site) {
  if (!/^unexpected (token|character)/i.test(message) || site === undefined) {
    return message.replace(/ \(line \d+ column \d+\)$/, '');
  }
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
