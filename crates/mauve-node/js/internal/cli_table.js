// Draws the table of console.table.

const { getStringWidth } = require('internal/util/string_width');
const types = require('internal/util/types');

const INDEX = '(index)';
const ITERATION_INDEX = '(iteration index)';
const KEY = 'Key';
const VALUES = 'Values';

function cell(content, width) {
  return ` ${content}${' '.repeat(width - getStringWidth(content) - 1)}`;
}

function draw(head, columns) {
  const height = Math.max(...columns.map((column) => column.length), 0);
  const rows = [];
  const widths = head.map((title) => getStringWidth(title) + 2);
  for (let row = 0; row < height; row++) {
    rows.push(head.map((_, i) => {
      const content = columns[i].length > row && columns[i][row] !== undefined ? columns[i][row] : '';
      widths[i] = Math.max(widths[i], getStringWidth(content) + 2);
      return content;
    }));
  }
  const bars = widths.map((width) => '─'.repeat(width));
  const line = (contents) => `│${contents.map((content, i) => cell(content, widths[i])).join('│')}│`;
  return [
    `┌${bars.join('┬')}┐`,
    line(head),
    `├${bars.join('┼')}┤`,
    ...rows.map(line),
    `└${bars.join('┴')}┘`,
  ].join('\n');
}

const isPrimitive = (value) => value === null || (typeof value !== 'function' && typeof value !== 'object');

function tableOfMap(data, show) {
  const keys = [];
  const values = [];
  const positions = [];
  let i = 0;
  for (const [key, value] of data) {
    keys.push(show(key));
    values.push(show(value));
    positions.push(String(i++));
  }
  return draw([ITERATION_INDEX, KEY, VALUES], [positions, keys, values]);
}

function tableOfSet(data, show) {
  const values = Array.from(data, show);
  return draw([ITERATION_INDEX, VALUES], [values.map((_, i) => String(i)), values]);
}

function table(data, properties, show) {
  if (types.isMap(data)) return tableOfMap(data, show);
  if (types.isSet(data)) return tableOfSet(data, show);

  const columns = new Map();
  const indexColumn = Object.keys(data);
  const valueColumn = [];
  let hasPrimitives = false;
  indexColumn.forEach((index, row) => {
    const item = data[index];
    const primitive = isPrimitive(item);
    if (primitive && properties === undefined) {
      hasPrimitives = true;
      valueColumn[row] = show(item);
      return;
    }
    for (const key of properties ?? Object.keys(item)) {
      if (!columns.has(key)) columns.set(key, []);
      if (!primitive && Object.hasOwn(item, key)) columns.get(key)[row] = show(item[key]);
      else columns.get(key)[row] = '';
    }
  });
  const head = [INDEX, ...columns.keys()].map(String);
  const body = [indexColumn, ...columns.values()];
  if (hasPrimitives) {
    head.push(VALUES);
    body.push(valueColumn);
  }
  // All columns have the length of the table, which draws the empty cells.
  for (const column of body) column.length = indexColumn.length;
  return draw(head, body);
}

module.exports = { table };
