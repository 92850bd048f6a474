// The module stream/consumers: reads a whole stream into one value.
const { Buffer } = require('buffer');

// Chunks are bytes or strings; these two convert all of them to one form.
async function bytesOf(stream) {
  const parts = [];
  for await (const chunk of stream) parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(parts);
}

async function textOf(stream) {
  // A character may be split between two chunks.
  const decoder = new TextDecoder();
  const parts = [];
  for await (const chunk of stream) { parts.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })); }
  return parts.join('') + decoder.decode();
}

module.exports = {
  arrayBuffer: async (stream) => {
    const { buffer, byteOffset, byteLength } = await bytesOf(stream);
    return buffer.slice(byteOffset, byteOffset + byteLength);
  },
  blob: async (stream) => new Blob([await bytesOf(stream)]),
  buffer: (stream) => bytesOf(stream),
  json: async (stream) => JSON.parse(await textOf(stream)),
  text: (stream) => textOf(stream),
};
