// Finds incomplete characters at the end of UTF-8.

// Some lead bytes restrict the range of the second byte.
function secondByteFits(first, second) {
  if (first === 0xe0) return second >= 0xa0 && second <= 0xbf;
  if (first === 0xed) return second >= 0x80 && second <= 0x9f;
  if (first === 0xf0) return second >= 0x90 && second <= 0xbf;
  if (first === 0xf4) return second >= 0x80 && second <= 0x8f;
  return (second & 0xc0) === 0x80;
}

function lengthByFirst(first) {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  if (first >= 0xf0 && first <= 0xf4) return 4;
  return 0;
}

// By the bits of the lead byte, even if no such character exists.
function lengthByBits(first) {
  if ((first & 0xe0) === 0xc0) return 2;
  if ((first & 0xf0) === 0xe0) return 3;
  return (first & 0xf8) === 0xf0 ? 4 : 0;
}

// The number of bytes at the end that further bytes could complete to a character.
function incompleteUtf8(bytes) {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back];
    if ((byte & 0xc0) === 0x80) continue;
    if (lengthByFirst(byte) <= back) return 0;
    return back === 1 || secondByteFits(byte, bytes[length - back + 1]) ? back : 0;
  }
  return 0;
}

// The same for StringDecoder, which checks only the lead byte.
function incompleteUtf8ByLeadByte(bytes) {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back];
    if ((byte & 0xc0) !== 0x80) return lengthByBits(byte) > back ? back : 0;
  }
  return 0;
}

module.exports = { incompleteUtf8, incompleteUtf8ByLeadByte };
