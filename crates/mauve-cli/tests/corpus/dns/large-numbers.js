// Numbers of records above 2^31, names with pointers, and messages that are malformed.
const dgram = require('dgram');
const dns = require('dns');

const u16 = (number) => [number >> 8, number & 255];
const u32 = (number) => [...u16(Math.floor(number / 65536)), ...u16(number % 65536)];
const name = (text) => [...text.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]), 0];
const POINTER = [0xc0, 12];
const record = (type, data, ttl = 60) => [...POINTER, ...u16(type), ...u16(1), ...u32(ttl), ...u16(data.length), ...data];

const ANSWERS = {
  'soa.test': record(6, [...name('ns.test'), ...POINTER, ...[1, 2147483648, 3, 4294967295, 3333333333].flatMap(u32)]),
  'a.test': record(1, [127, 0, 0, 1], 2147483647),
  'v6.test': record(28, [0x20, 1, 13, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]),
  'srv.test': record(33, [...u16(65535), ...u16(1), ...u16(40000), ...POINTER]),
  'loop.test': [0xc0, 26, ...u16(1)],
  'short.test': record(1, [127, 0, 0, 1]).slice(0, -2),
};

const server = dgram.createSocket('udp4', (query, peer) => {
  const end = query.indexOf(0, 12);
  const asked = [];
  for (let at = 12; at < end; at += query[at] + 1) asked.push(query.toString('latin1', at + 1, at + 1 + query[at]));
  const head = [...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0];
  server.send(Buffer.from([...head, ...query.subarray(12, end + 5), ...ANSWERS[asked.join('.')]]), peer.port, peer.address);
});

server.bind(0, '127.0.0.1', async () => {
  const resolver = new dns.promises.Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  console.log(await resolver.resolveSoa('soa.test'));
  console.log(await resolver.resolve4('a.test', { ttl: true }), await resolver.resolve6('v6.test'));
  // The target of a service may not be compressed.
  await resolver.resolveSrv('srv.test').catch((error) => console.log(error.syscall, error.code));
  for (const broken of ['loop.test', 'short.test']) {
    await resolver.resolve4(broken).then(console.log, (error) => console.log(broken, error.syscall, typeof error.code));
  }
  server.close();
});
