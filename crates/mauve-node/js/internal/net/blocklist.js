// net.BlockList: a list of blocked addresses, ranges and subnets.
const { codes } = require('internal/errors');
const validate = require('internal/validators');
const { customInspectSymbol } = require('internal/util/inspect');
const { SocketAddress } = require('internal/net/socketaddress');

// An address as a BigInt. IPv4 addresses are converted to IPv4-mapped IPv6 addresses.
const toBigInt = ({ address }) => BigInt(`0x${binding('tcp').addressBits(address)}`);

// Converts an argument: a SocketAddress, or a string with its family.
function toSocketAddress(value, label, family) {
  if (SocketAddress.isSocketAddress(value)) return value;
  validate.validateString(value, label);
  validate.validateString(family, 'family');
  return new SocketAddress({ address: value, family });
}

// The same, but null for an invalid address.
function toSocketAddressOrNull(value, family) {
  try {
    return toSocketAddress(value, 'address', family);
  } catch (err) {
    if (err.code === 'ERR_INVALID_ADDRESS') return null;
    throw err;
  }
}

const TITLES = { ipv4: 'IPv4', ipv6: 'IPv6' };

// A rule blocks the addresses from `low` to `high`. `text` is its entry in BlockList.rules.
const createRule = (kind, { address, family }, suffix, low, high) =>
  ({ text: `${kind}: ${TITLES[family]} ${address}${suffix}`, low, high });

class BlockList {
  // Single addresses come first, then the newest range or subnet.
  #addresses = [];
  #rules = [];

  get #all() { return [...this.#addresses, ...this.#rules]; }

  addAddress(value, family = 'ipv4') {
    const address = toSocketAddress(value, 'address', family);
    const number = toBigInt(address);
    this.#addresses.push(createRule('Address', address, '', number, number));
  }

  addRange(from, to, family = 'ipv4') {
    const [first, last] = [toSocketAddress(from, 'start', family), toSocketAddress(to, 'end', family)];
    const [low, high] = [toBigInt(first), toBigInt(last)];
    if (low > high) throw new codes.ERR_INVALID_ARG_VALUE('start', first, 'must come before end');
    this.#rules.unshift(createRule('Range', first, `-${last.address}`, low, high));
  }

  addSubnet(value, prefix, family = 'ipv4') {
    const network = toSocketAddress(value, 'network', family);
    const width = network.family === 'ipv6' ? 128 : 32;
    validate.validateInt32(prefix, 'prefix', 0, width);
    const hosts = (1n << BigInt(width - prefix)) - 1n;
    const low = toBigInt(network) & ~hosts;
    this.#rules.unshift(createRule('Subnet', network, `/${prefix}`, low, low | hosts));
  }

  // An invalid address is not blocked.
  check(value, family = 'ipv4') {
    const address = toSocketAddressOrNull(value, family);
    if (address === null) return false;
    const number = toBigInt(address);
    return this.#all.some((rule) => rule.low <= number && number <= rule.high);
  }

  get rules() { return this.#all.map(({ text }) => text); }
  [customInspectSymbol](depth, options, inspect) { return depth < 0 ? '[BlockList]' : `BlockList ${inspect({ rules: this.rules }, options)}`; }
}

module.exports = { BlockList };
