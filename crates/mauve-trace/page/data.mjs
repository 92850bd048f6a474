// The data of the page: a JSON header and binary tables, deflated, in base64.
//
// The bytes are the length of the header (u32, little-endian), the header, and the columns of all
// tables in the header's order. A column is a sequence of LEB128 numbers. `html/data.rs` writes it.

// Reads the element with the data. Returns `{ header, tables }`.
export async function readData(element) {
  const bytes = await inflate(fromBase64(element.textContent.trim()));
  const size = new DataView(bytes.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const reader = { bytes, at: 4 + size };
  const tables = {};
  for (const { name, rows, columns } of header.tables) {
    const table = { rows };
    for (const [column, encoding] of columns) table[column] = readColumn(reader, rows, encoding);
    tables[name] = table;
  }
  return { header, tables };
}

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Encodings: `small` fits into 32 bits, `wide` into 53. `option` and `wide-option` are the number plus
// one, and zero for none, which is -1 here. `time` is the difference from the row before, where the
// lowest bit is the sign.
function readColumn(reader, rows, encoding) {
  const column = newColumn(encoding, rows);
  let previous = 0;
  for (let row = 0; row < rows; row++) {
    const value = readNumber(reader);
    if (encoding === 'time') column[row] = previous += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    else if (encoding.endsWith('option')) column[row] = value - 1;
    else column[row] = value;
  }
  return column;
}

function newColumn(encoding, rows) {
  switch (encoding) {
    case 'small':
      return new Uint32Array(rows);
    case 'option':
      return new Int32Array(rows);
    case 'wide':
    case 'wide-option':
    case 'time':
      return new Float64Array(rows);
    default:
      throw new Error(`unknown encoding of a column: ${encoding}`);
  }
}

// Numbers above 32 bits need multiplication: the shifts of JavaScript are 32 bits wide.
function readNumber(reader) {
  const { bytes } = reader;
  let byte = bytes[reader.at++];
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  let scale = 0x80;
  do {
    byte = bytes[reader.at++];
    value += (byte & 0x7f) * scale;
    scale *= 0x80;
  } while (byte >= 0x80);
  return value;
}
