// names: dns.lookup of localhost, lookupService, invalid names
'use strict';
const dns = require('dns').promises;
const { assert, main } = require('./lib/check');

main(async () => {
  assert(['127.0.0.1', '::1'].includes((await dns.lookup('localhost')).address));
  assert.deepStrictEqual(await dns.lookup('localhost', 4), { address: '127.0.0.1', family: 4 });
  assert((await dns.lookup('localhost', { all: true })).length > 0);
  const many = await Promise.all(Array.from({ length: 50 }, () => dns.lookup('localhost', 4)));
  many.forEach(({ address }) => assert.strictEqual(address, '127.0.0.1'));
  assert.strictEqual((await dns.lookupService('127.0.0.1', 80)).hostname, 'localhost');
  await assert.rejects(dns.lookup('no name'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' });
  // Cancelled or answered: c-ares must not keep the process alive.
  const resolver = new dns.Resolver();
  resolver.setServers(['127.0.0.1:9']);
  const pending = resolver.resolve4('mauve.invalid');
  resolver.cancel();
  await assert.rejects(pending, /ECANCELLED|ECONNREFUSED/);
});
