// The module 'dns'.

const {
  ADDRCONFIG, ALL, V4MAPPED, getDefaultResultOrder, lookup, lookupService, setDefaultResultOrder,
} = require('internal/net/lookup');
const errors = require('internal/dns/error_codes');

module.exports = {
  lookup,
  lookupService,
  getDefaultResultOrder,
  setDefaultResultOrder,
  ADDRCONFIG,
  ALL,
  V4MAPPED,
  ...errors,
};

Object.defineProperty(module.exports, 'promises', {
  get: () => require('dns/promises'),
  configurable: true,
  enumerable: true,
});

// The resolver is loaded on first use.
const resolver = () => require('internal/dns/resolver');
Object.defineProperty(module.exports, 'Resolver', {
  get: () => resolver().Resolver,
  configurable: true,
  enumerable: true,
});
for (const name of require('internal/dns/record_types').methods) {
  module.exports[name] = { [name](...args) {
    return resolver().common()[name](...args);
  } }[name];
}
