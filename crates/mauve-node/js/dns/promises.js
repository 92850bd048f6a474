// The module 'dns/promises'.
const { getDefaultResultOrder, lookupPromise, lookupServicePromise, setDefaultResultOrder } = require('internal/net/lookup');
const errors = require('internal/dns/error_codes');

module.exports = { lookup: lookupPromise, lookupService: lookupServicePromise, getDefaultResultOrder, setDefaultResultOrder, ...errors };

const resolver = () => require('internal/dns/resolver');
require('internal/util/getters').defineGetters(module.exports, { Resolver: () => resolver().PromiseResolver });
for (const name of require('internal/dns/record_types').methods) {
  module.exports[name] = { [name](...args) {
    return resolver().commonPromise()[name](...args);
  } }[name];
}
