// net.BlockList: addresses, ranges and subnets to be refused.

const { codes } = require('internal/errors');
const validate = require('internal/validators');
const { customInspectSymbol } = require('internal/util/inspect');
const { SocketAddress } = require('internal/net/socketaddress');

// An address as a number. Those of the fourth version count as what they are mapped to in the sixth.
function numberOf({ address, family }) {
  if (family === 'ipv4') return MAPPED | ipv4(address);
  const [text] = address.split('%');
  const [head, tail] = text.split('::');
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const zeros = Array(8 - left.length - right.length).fill(0n);
  return [...left, ...zeros, ...right].reduce((all, group) => (all << 16n) | group, 0n);
}

const MAPPED = 0xffffn << 32n;

function ipv4(text) {
  return text.split('.').reduce((all, byte) => (all << 8n) | BigInt(byte), 0n);
}

function groups(text) {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const number = ipv4(group);
    return [number >> 16n, number & 0xffffn];
  });
}

// An address out of what a script gives: one that was checked already, or a text and its family.
function addressOf(given, label, family) {
  if (SocketAddress.isSocketAddress(given)) return given;
  validate.validateString(given, label);
  validate.validateString(family, 'family');
  return new SocketAddress({ address: given, family });
}

// The same, or null for a text that is no address.
function addressOrNull(given, family) {
  try {
    return addressOf(given, 'address', family);
  } catch (err) {
    if (err.code === 'ERR_INVALID_ADDRESS') return null;
    throw err;
  }
}

const TITLES = { ipv4: 'IPv4', ipv6: 'IPv6' };

// All that is refused is from one number to another; the text is for people.
class Rule {
  constructor(kind, { address, family }, suffix, low, high) {
    this.text = `${kind}: ${TITLES[family]} ${address}${suffix}`;
    this.low = low;
    this.high = high;
  }

  covers(number) {
    return this.low <= number && number <= this.high;
  }
}

class BlockList {
  // The newest comes first.
  #rules = [];

  addAddress(given, family = 'ipv4') {
    const address = addressOf(given, 'address', family);
    const number = numberOf(address);
    this.#rules.unshift(new Rule('Address', address, '', number, number));
  }

  addRange(from, to, family = 'ipv4') {
    const [first, last] = [addressOf(from, 'start', family), addressOf(to, 'end', family)];
    const [low, high] = [numberOf(first), numberOf(last)];
    if (low > high) throw new codes.ERR_INVALID_ARG_VALUE('start', first, 'must come before end');
    this.#rules.unshift(new Rule('Range', first, `-${last.address}`, low, high));
  }

  addSubnet(given, prefix, family = 'ipv4') {
    const network = addressOf(given, 'network', family);
    const width = network.family === 'ipv6' ? 128 : 32;
    validate.validateInt32(prefix, 'prefix', 0, width);
    const hosts = (1n << BigInt(width - prefix)) - 1n;
    const low = numberOf(network) & ~hosts;
    this.#rules.unshift(new Rule('Subnet', network, `/${prefix}`, low, low | hosts));
  }

  // What is no address is not refused.
  check(given, family = 'ipv4') {
    const address = addressOrNull(given, family);
    if (address === null) return false;
    const number = numberOf(address);
    return this.#rules.some((rule) => rule.covers(number));
  }

  get rules() {
    return this.#rules.map(({ text }) => text);
  }

  [customInspectSymbol](depth, options, inspect) {
    return depth < 0 ? this : `BlockList ${inspect({ rules: this.rules }, options)}`;
  }
}

module.exports = { BlockList };
