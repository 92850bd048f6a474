// Looks up an address and a service, on the thread pool.
const dns = require('dns');

dns.lookup('127.0.0.1', { all: true }, (error, addresses) => {
  for (const { address, family } of addresses) console.log(`address ${address}, family ${family}`);
});
console.log('the lookup has started');
