// util.parseEnv: the text of a .env file as an object.

const { validateString } = require('internal/validators');

const LINE = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/gm;

function parseEnv(content) {
  validateString(content, 'content');
  const result = {};
  for (const [, key, raw = ''] of content.replace(/\r\n?/g, '\n').matchAll(LINE)) {
    const value = raw.trim();
    const mark = value[0];
    const quoted = value.length > 1 && '\'"`'.includes(mark) && value.endsWith(mark);
    const inner = quoted ? value.slice(1, -1) : value;
    result[key] = mark === '"' && quoted ? inner.replaceAll('\\n', '\n') : inner;
  }
  return result;
}

module.exports = { parseEnv };
