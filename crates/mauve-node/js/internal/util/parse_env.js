// util.parseEnv: parses the text of a .env file.
const { validateString } = require('internal/validators');

// Quoted values may span lines; bare ones end at a comment or the end of the line.
const QUOTED = ['\'', '"', '`'].map((mark) => `\\s*${mark}(?:\\\\${mark}|[^${mark}])*${mark}`);
const VALUE = `${QUOTED.join('|')}|[^#\\r\\n]+`;
const ASSIGNMENT = '(?:export\\s+)?([\\w.-]+)(?:\\s*=\\s*?|:\\s+?)';
const LINE = new RegExp(`^\\s*${ASSIGNMENT}(${VALUE})?\\s*(?:#.*)?$`, 'gm');

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
