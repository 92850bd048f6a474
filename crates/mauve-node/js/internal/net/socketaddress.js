// net.SocketAddress: an address that was checked.

const { codes } = require('internal/errors');
const { validateObject, validatePort, validateString, validateUint32 } = require('internal/validators');
const { customInspectSymbol } = require('internal/util/inspect');
const { isIP } = require('internal/net/ip');

const ANY = { ipv4: '127.0.0.1', ipv6: '::' };

class SocketAddress {
  #address;
  #port;
  #family;
  #flowlabel;

  static isSocketAddress(value) {
    return value !== null && typeof value === 'object' && #address in value;
  }

  constructor(options = {}) {
    validateObject(options, 'options');
    let { family = 'ipv4' } = options;
    if (typeof family?.toLowerCase === 'function') family = family.toLowerCase();
    if (family !== 'ipv4' && family !== 'ipv6') {
      throw new codes.ERR_INVALID_ARG_VALUE('options.family', options.family);
    }
    const { address = ANY[family], port = 0, flowlabel = 0 } = options;
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel', false);
    if (`ipv${isIP(address)}` !== family) throw new codes.ERR_INVALID_ADDRESS();
    this.#address = address;
    this.#port = port | 0;
    this.#family = family;
    this.#flowlabel = flowlabel;
  }

  get address() { return this.#address; }
  get port() { return this.#port; }
  get family() { return this.#family; }
  get flowlabel() { return this.#flowlabel; }

  toJSON() {
    return {
      address: this.#address, port: this.#port, family: this.#family, flowlabel: this.#flowlabel,
    };
  }

  [customInspectSymbol](depth, options, inspect) {
    if (depth < 0) return this;
    return `SocketAddress ${inspect(this.toJSON(), options)}`;
  }
}

module.exports = { SocketAddress };
