// net.BlockList: addresses, ranges and subnets to be refused.

const { codes } = require('internal/errors');
const { validateInt32, validateString } = require('internal/validators');
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

function addressOf(value, name, family) {
  if (SocketAddress.isSocketAddress(value)) return value;
  validateString(value, name);
  validateString(family, 'family');
  return new SocketAddress({ address: value, family });
}

const NAMES = { ipv4: 'IPv4', ipv6: 'IPv6' };

class BlockList {
  #rules = [];

  addAddress(address, family = 'ipv4') {
    const one = addressOf(address, 'address', family);
    const number = numberOf(one);
    this.#add(`Address: ${NAMES[one.family]} ${one.address}`, number, number);
  }

  addRange(start, end, family = 'ipv4') {
    const first = addressOf(start, 'start', family);
    const last = addressOf(end, 'end', family);
    const [low, high] = [numberOf(first), numberOf(last)];
    if (low > high) throw new codes.ERR_INVALID_ARG_VALUE('start', first, 'must come before end');
    this.#add(`Range: ${NAMES[first.family]} ${first.address}-${last.address}`, low, high);
  }

  addSubnet(network, prefix, family = 'ipv4') {
    const net = addressOf(network, 'network', family);
    const bits = net.family === 'ipv4' ? 32 : 128;
    validateInt32(prefix, 'prefix', 0, bits);
    const size = (1n << BigInt(bits - prefix)) - 1n;
    const low = numberOf(net) & ~size;
    this.#add(`Subnet: ${NAMES[net.family]} ${net.address}/${prefix}`, low, low | size);
  }

  #add(text, low, high) {
    // The newest comes first.
    this.#rules.unshift({ text, low, high });
  }

  check(address, family = 'ipv4') {
    if (!SocketAddress.isSocketAddress(address)) {
      validateString(address, 'address');
      validateString(family, 'family');
      try {
        address = new SocketAddress({ address, family });
      } catch (err) {
        // What is no address is not refused.
        if (err.code === 'ERR_INVALID_ADDRESS') return false;
        throw err;
      }
    }
    const number = numberOf(address);
    return this.#rules.some(({ low, high }) => low <= number && number <= high);
  }

  get rules() {
    return this.#rules.map(({ text }) => text);
  }

  [customInspectSymbol](depth, options, inspect) {
    if (depth < 0) return this;
    return `BlockList ${inspect({ rules: this.rules }, options)}`;
  }
}

module.exports = { BlockList };
