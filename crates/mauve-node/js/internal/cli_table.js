// Draws the table of console.table.
const { getStringWidth } = require('internal/util/string_width');
const types = require('internal/util/types');
const INDEX = '(index)';
const ITERATION_INDEX = '(iteration index)';
const KEY = 'Key';
const VALUES = 'Values';

// All columns have the same number of cells.
function draw(head, columns) {
  const widths = head.map((title, i) => Math.max(...[title, ...columns[i]].map((text) => getStringWidth(text))) + 2);
  const bars = widths.map((width) => '─'.repeat(width));
  const cell = (text, i) => ` ${text}${' '.repeat(widths[i] - getStringWidth(text) - 1)}`;
  const line = (texts) => `│${texts.map(cell).join('│')}│`;
  const rows = columns[0].map((_, row) => line(columns.map((column) => column[row])));
  return [`┌${bars.join('┬')}┐`, line(head), `├${bars.join('┼')}┤`, ...rows, `└${bars.join('┴')}┘`].join('\n');
}

const isPrimitive = (value) => value === null || (typeof value !== 'function' && typeof value !== 'object');

function table(data, properties, show) {
  const isMap = types.isMap(data);
  if (isMap || types.isSet(data)) {
    const columns = isMap ? [[...data.keys()], [...data.values()]] : [[...data]];
    const head = isMap ? [ITERATION_INDEX, KEY, VALUES] : [ITERATION_INDEX, VALUES];
    return draw(head, [columns[0].map((_, i) => String(i)), ...columns.map((column) => column.map(show))]);
  }

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
  return draw(head, body.map((column) => indexColumn.map((_, row) => column[row] ?? '')));
}

module.exports = { table };
