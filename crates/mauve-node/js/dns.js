// The module 'dns'.
const { ADDRCONFIG, ALL, V4MAPPED, getDefaultResultOrder, lookup, lookupService, setDefaultResultOrder } = require('internal/net/lookup');
const errors = require('internal/dns/error_codes');

module.exports = {
  lookup, lookupService, getDefaultResultOrder, setDefaultResultOrder, ADDRCONFIG, ALL, V4MAPPED,
  ...errors,
};

// The resolver is loaded on first use.
const resolver = () => require('internal/dns/resolver');
require('internal/util/getters').defineGetters(module.exports, { promises: () => require('dns/promises'), Resolver: () => resolver().Resolver });
for (const name of require('internal/dns/record_types').methods) {
  module.exports[name] = { [name](...args) {
    return resolver().common()[name](...args);
  } }[name];
}
