// Draws the table of console.table.
const { getStringWidth } = require('internal/util/string_width');
const { drawTable } = binding('util');
const types = require('internal/util/types');
const INDEX = '(index)';
const ITERATION_INDEX = '(iteration index)';
const KEY = 'Key';
const VALUES = 'Values';

// All columns have the same number of cells.
const draw = (head, columns) => drawTable(head, columns, [head, ...columns].map((texts) => texts.map((text) => getStringWidth(text))));
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
