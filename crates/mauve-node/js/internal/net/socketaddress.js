// net.SocketAddress: a validated address.
const { codes } = require('internal/errors');
const validate = require('internal/validators');
const { customInspectSymbol } = require('internal/util/inspect');
const { isIP } = require('internal/net/ip');

// The default address of each family.
const DEFAULT_ADDRESSES = { __proto__: null, ipv4: '127.0.0.1', ipv6: '::' };

function familyOf({ family = 'ipv4' }) {
  const name = family?.toLowerCase?.() ?? family;
  if (typeof name === 'string' && name in DEFAULT_ADDRESSES) return name;
  throw new codes.ERR_INVALID_ARG_VALUE('options.family', family);
}

class SocketAddress {
  // The properties, in the order in which inspect() shows them.
  #parts;

  static isSocketAddress(it) { return it !== null && typeof it === 'object' && #parts in it; }

  constructor(options = {}) {
    validate.validateObject(options, 'options');
    const family = familyOf(options);
    const parts = { address: DEFAULT_ADDRESSES[family], port: 0, family, flowlabel: 0 };
    for (const name of ['address', 'port', 'flowlabel']) {
      if (options[name] !== undefined) parts[name] = options[name];
    }
    validate.validateString(parts.address, 'options.address');
    parts.port = validate.validatePort(parts.port, 'options.port');
    validate.validateUint32(parts.flowlabel, 'options.flowlabel', false);
    if (`ipv${isIP(parts.address)}` !== family) throw new codes.ERR_INVALID_ADDRESS();
    this.#parts = parts;
  }

  get address() { return this.#parts.address; }
  get port() { return this.#parts.port; }
  get family() { return this.#parts.family; }
  get flowlabel() { return this.#parts.flowlabel; }
  toJSON() { return { ...this.#parts }; }
  [customInspectSymbol](depth, options, inspect) { return depth < 0 ? this : `SocketAddress ${inspect(this.#parts, options)}`; }
}

module.exports = { SocketAddress };
