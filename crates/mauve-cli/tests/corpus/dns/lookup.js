const dns = require('dns');
const { promisify } = require('util');

dns.lookup('127.0.0.1', (err, address, family) => console.log(1, err, address, family));
dns.lookup('::1', { all: true }, (err, addresses) => console.log(2, err, addresses));
dns.lookup('', (err, address, family) => console.log(3, err, address, family));
dns.lookup(null, { all: true }, (err, addresses) => console.log(4, err, addresses));
dns.lookup(false, 6, (err, address, family) => console.log(5, err, address, family));
console.log('called');
process.nextTick(() => console.log('tick'));

(async () => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(await promisify(dns.lookup)('localhost', 4));
  console.log(await dns.promises.lookup('localhost', { family: 4, all: true }));
  console.log(await dns.promises.lookup('127.0.0.1'));
  const all = await dns.promises.lookup('localhost', { all: true, order: 'ipv4first' });
  console.log(all[0]);
  for (const name of ['no-such-host.invalid', 'also.invalid']) {
    await dns.promises.lookup(name).catch((err) => {
      console.log(err.name, err.syscall, err.hostname, Object.keys(err), err.message === `getaddrinfo ${err.code} ${name}`);
    });
  }
  await dns.promises.lookup('localhost', { family: 4, hints: dns.ADDRCONFIG | dns.V4MAPPED }).then(console.log);
})();
