// Encodes DNS queries and decodes responses (RFC 1035).

const { Buffer } = require('buffer');
const { RECORD_TYPES } = require('internal/dns/record_types');

const INTERNET = 1;
const RECURSION_DESIRED = 0x0100;
const TRUNCATED = 0x0200;

// Encodes a query for records of a type. Returns null for an invalid name.
function encodeQuery(id, name, type) {
  const labels = name.replace(/\.$/, '').split('.').map((label) => Buffer.from(label, 'latin1'));
  const isRoot = name === '' || name === '.';
  if (!isRoot && labels.some(({ length }) => length === 0 || length > 63)) return null;
  if (name.length > 253) return null;
  const head = Buffer.alloc(12);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(RECURSION_DESIRED, 2);
  head.writeUInt16BE(1, 4);
  const parts = [head];
  for (const label of isRoot ? [] : labels) parts.push(Buffer.from([label.length]), label);
  const tail = Buffer.alloc(5);
  tail.writeUInt16BE(RECORD_TYPES[type].number, 1);
  tail.writeUInt16BE(INTERNET, 3);
  parts.push(tail);
  return Buffer.concat(parts);
}

// Reads a message in sequence. Reading past the end throws a RangeError.
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  u8() { return this.bytes.readUInt8(this.at++); }

  u16() {
    this.at += 2;
    return this.bytes.readUInt16BE(this.at - 2);
  }

  u32() {
    this.at += 4;
    return this.bytes.readUInt32BE(this.at - 4);
  }

  take(length) {
    if (this.at + length > this.bytes.length) throw new RangeError('truncated message');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  text() { return this.take(this.u8()).toString('latin1'); }

  // Reads a name, which may end in a pointer to an earlier name.
  name() {
    const labels = [];
    let { at } = this;
    let end = null;
    for (let jumps = 0; jumps < 64;) {
      const size = this.bytes.readUInt8(at);
      if (size === 0) {
        this.at = end ?? at + 1;
        return labels.join('.');
      }
      if (size >= 0xc0) {
        end ??= at + 2;
        at = this.bytes.readUInt16BE(at) & 0x3fff;
        jumps++;
      } else {
        labels.push(this.bytes.toString('latin1', at + 1, at + 1 + size));
        at += 1 + size;
      }
    }
    throw new RangeError('pointer loop in a name');
  }
}

function ipv6(bytes) {
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16));
  // The longest run of zeros is compressed to "::".
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (groups[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  if (best.start < 0) return groups.join(':');
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`;
}

// Readers for the data of a record, by type.
const READ = {
  A: (r) => ({ address: [...r.take(4)].join('.') }),
  AAAA: (r) => ({ address: ipv6(r.take(16)) }),
  NS: (r) => ({ value: r.name() }),
  CNAME: (r) => ({ value: r.name() }),
  PTR: (r) => ({ value: r.name() }),
  MX: (r) => {
    const priority = r.u16();
    return { exchange: r.name(), priority };
  },
  TXT: (r, end) => {
    const entries = [];
    while (r.at < end) {
      const size = r.u8();
      entries.push(r.take(size).toString('utf8'));
    }
    return { entries };
  },
  SOA: (r) => ({
    nsname: r.name(), hostmaster: r.name(), serial: r.u32(), refresh: r.u32(), retry: r.u32(),
    expire: r.u32(), minttl: r.u32(),
  }),
  SRV: (r) => {
    const [priority, weight, port] = [r.u16(), r.u16(), r.u16()];
    return { name: r.name(), port, priority, weight };
  },
  NAPTR: (r) => {
    const [order, preference] = [r.u16(), r.u16()];
    const [flags, service, regexp] = [r.text(), r.text(), r.text()];
    return { flags, service, regexp, replacement: r.name(), order, preference };
  },
  CAA: (r, end) => {
    const critical = r.u8();
    const tag = r.text();
    return { critical, [tag]: r.take(end - r.at).toString('latin1') };
  },
};

const BY_NUMBER = new Map(Object.entries(RECORD_TYPES).map(([type, { number }]) => [number, type]));

// Returns { id, code, isTruncated, answers: [{ type, ttl, data }] }, or null for a malformed message.
function decodeResponse(bytes) {
  try {
    const reader = new Reader(bytes);
    const id = reader.u16();
    const flags = reader.u16();
    const [questions, count] = [reader.u16(), reader.u16()];
    reader.at = 12;
    for (let i = 0; i < questions; i++) {
      reader.name();
      reader.at += 4;
    }
    const answers = [];
    for (let i = 0; i < count; i++) {
      reader.name();
      const type = BY_NUMBER.get(reader.u16());
      reader.u16();
      const ttl = reader.u32();
      const size = reader.u16();
      const end = reader.at + size;
      if (READ[type]) answers.push({ type, ttl, data: READ[type](reader, end) });
      reader.at = end;
    }
    return { id, code: flags & 15, isTruncated: (flags & TRUNCATED) !== 0, answers };
  } catch (err) {
    if (err instanceof RangeError) return null;
    throw err;
  }
}

module.exports = { decodeResponse, encodeQuery };
