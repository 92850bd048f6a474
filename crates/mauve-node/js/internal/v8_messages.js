// The messages of the engine's own errors, in V8's words. Programs look for them, and people know
// them. What the engine does not say, such as the name of what is not a function, is looked up in
// the line that threw.

const PHRASES = [
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
  [/^circular reference$/, 'Converting circular structure to JSON'],
  [/^object is not extensible$/, 'Cannot add property, object is not extensible'],
  [/^expecting hex digit$/, 'URI malformed'],
];

exports.rephrase = function rephrase(error, sites, position) {
  if (!(error instanceof Error)) return;
  const descriptor = Object.getOwnPropertyDescriptor(error, 'message');
  if (descriptor === undefined || typeof descriptor.value !== 'string') return;
  const better = inOtherWords(descriptor.value, error, sites, position);
  if (better !== undefined) error.message = better;
};

function inOtherWords(message, error, sites, position) {
  if (error instanceof TypeError) {
    if (message === 'not a function') return named(sites[0], position, 'is not a function');
    if (message === 'value is not iterable') return named(sites[0], position, 'is not iterable');
  }
  if (error instanceof SyntaxError && parsing !== undefined) return ofJson(message, sites[0]);
  for (const [pattern, words] of PHRASES) {
    if (pattern.test(message)) return message.replace(pattern, words);
  }
  return undefined;
}

// "a.b.c is not a function": the names around the column that the engine points at.
function named(site, position, words) {
  const file = site?.getFileName();
  if (!file?.startsWith('/')) return undefined;
  const { line, column } = position(site);
  const text = lineOf(file, line);
  if (text === undefined) return undefined;
  const [rest] = /^[\w$]+(?:\??\.[\w$]+)*(?=\s*(?:\(|`|\?\.\(|[);,\s]|$))/.exec(text.slice(column - 1)) ?? [];
  if (rest === undefined) return undefined;
  const [before] = /(?:[\w$]+\??\.)*$/.exec(text.slice(0, column - 1));
  const called = /\bnew\s+$/.test(text.slice(0, column - 1 - before.length));
  return `${before}${rest} ${called && words === 'is not a function' ? 'is not a constructor' : words}`;
}

let lastFile;
let lastLines;

function lineOf(file, line) {
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

exports.lineOf = lineOf;

// The text that JSON.parse looks at now.
let parsing;
let wasText;

exports.install = function install() {
  const native = JSON.parse;
  JSON.parse = function parse(text, reviver) {
    const outer = parsing;
    parsing = String(text);
    wasText = typeof text === 'string';
    try {
      return native(parsing, reviver);
    } finally {
      parsing = outer;
    }
  };
};

// How much of the text is shown on each side of what is wrong.
const AROUND = 10;

function ofJson(message, site) {
  if (!/^unexpected (token|character)/i.test(message) || site === undefined) {
    return message.replace(/ \(line \d+ column \d+\)$/, '');
  }
  if (!wasText) return `"${parsing}" is not valid JSON`;
  const lines = parsing.split('\n').slice(0, site.getLineNumber() - 1);
  let at = lines.reduce((sum, line) => sum + line.length + 1, 0) + site.getColumnNumber() - 1;
  if (at >= parsing.length) return 'Unexpected end of JSON input';
  // A word that is none is wrong where it stops to be one.
  const word = ['null', 'true', 'false'].find((known) => known[0] === parsing[at]);
  for (let i = 0; word !== undefined && parsing[at] === word[i]; i++) at++;
  let shown = `"${parsing}"`;
  if (parsing.length > 2 * AROUND) {
    const [from, to] = [Math.max(0, at - AROUND), Math.min(parsing.length, at + AROUND)];
    shown = `${from > 0 ? '...' : ''}"${parsing.slice(from, to)}"${to < parsing.length ? '...' : ''}`;
  }
  return `Unexpected token '${parsing[at]}', ${shown} is not valid JSON`;
}
