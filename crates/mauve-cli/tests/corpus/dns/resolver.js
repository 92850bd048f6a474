// Resolver queries to a name server that runs in this script.
const dns = require('dns');
const dgram = require('dgram');

const name = (text) => Buffer.concat([...text.split('.').map((label) => Buffer.from(String.fromCharCode(label.length) + label, 'latin1')), Buffer.from([0])]);
const u16 = (...values) => Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const u32 = (...values) => Buffer.concat(values.map((value) => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])));
const text = (...values) => Buffer.concat(values.map((value) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])));
const NUMBERS = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, NAPTR: 35, CAA: 257, ANY: 255 };
const record = (kind, data, ttl = 300) => Buffer.concat([u16(0xc00c, NUMBERS[kind], 1), u32(ttl), u16(data.length), data]);

const zone = {
  A: [record('A', Buffer.from([1, 2, 3, 4])), record('A', Buffer.from([5, 6, 7, 8]), 60)],
  AAAA: [record('AAAA', Buffer.from('20010db8000000000000000000000001', 'hex'))],
  NS: [record('NS', name('ns1.test')), record('NS', Buffer.from([3, 110, 115, 50, 0xc0, 0x0c]))],
  CNAME: [record('CNAME', name('other.test'))],
  MX: [record('MX', Buffer.concat([u16(10), name('mail.test')]))],
  TXT: [record('TXT', text('one', 'two')), record('TXT', text('three'))],
  SRV: [record('SRV', Buffer.concat([u16(1, 2, 8080), name('srv.test')]))],
  SOA: [record('SOA', Buffer.concat([name('ns.test'), name('admin.test'), u32(1, 2, 3, 4, 5)]))],
  PTR: [record('PTR', name('host.test'))],
  NAPTR: [record('NAPTR', Buffer.concat([u16(30, 100), text('s', 'SIP', ''), name('sip.test')]))],
  CAA: [record('CAA', Buffer.concat([Buffer.from([128]), text('issue'), Buffer.from('ca.test')]))],
};

const server = dgram.createSocket('udp4');
server.on('message', (query, from) => {
  let end = 12;
  const labels = [];
  while (query[end] !== 0) {
    labels.push(query.toString('latin1', end + 1, end + 1 + query[end]));
    end += 1 + query[end];
  }
  const kind = Object.keys(NUMBERS).find((key) => NUMBERS[key] === query.readUInt16BE(end + 1));
  const host = labels.join('.').toLowerCase();
  const codes = { 'nx.test': 3, 'fail.test': 2, 'refused.test': 5, 'form.test': 1 };
  const answers = host === 'empty.test' || codes[host] ? [] : (zone[kind] ?? []);
  const head = Buffer.concat([query.subarray(0, 2), u16(0x8180 | (codes[host] ?? 0), 1, answers.length, 0, 0)]);
  if (host === 'silent.test') return;
  server.send(Buffer.concat([head, query.subarray(12, end + 5), ...answers]), from.port, from.address);
});

server.bind(0, '127.0.0.1', async () => {
  const resolver = new dns.promises.Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  console.log(resolver.getServers().length);
  console.log(await resolver.resolve('host.test'));
  console.log(await resolver.resolve4('host.test', { ttl: true }));
  for (const kind of ['AAAA', 'NS', 'CNAME', 'MX', 'TXT', 'SRV', 'SOA', 'PTR', 'NAPTR', 'CAA']) {
    console.log(kind, await resolver.resolve('host.test', kind));
  }
  console.log(await resolver.reverse('1.2.3.4'), await resolver.reverse('2001:db8::1'));
  for (const host of ['nx.test', 'empty.test', 'fail.test', 'refused.test', 'form.test', 'silent.test']) {
    await resolver.resolve4(host).catch((err) => console.log(err.message, err.code, err.syscall, err.hostname, err.errno));
  }
  await resolver.resolveMx('nx.test').catch((err) => console.log(err.message));
  await resolver.resolve6('nx.test').catch((err) => console.log(err.message));

  const classic = new dns.Resolver({ timeout: 200, tries: 1 });
  classic.setServers(resolver.getServers());
  classic.resolve4('host.test', (err, addresses) => {
    console.log(err, addresses);
    classic.resolveTxt('silent.test', (error) => {
      console.log(error.message);
      server.close();
    });
    setTimeout(() => classic.cancel(), 20);
  });
  for (const work of [() => classic.resolve('x', 'Y', () => {}), () => classic.resolve('x', 5, () => {}), () => classic.resolve4('x'),
    () => classic.resolve4(5, () => {}), () => classic.setServers(['x']), () => classic.setServers('x'), () => classic.reverse('x', () => {})]) {
    try { work(); } catch (err) { console.log(err.name, err.code, err.message); }
  }
  try { classic.setServers(['1.1.1.1']); } catch (err) { console.log(err.name, err.code, err.message); }
  const other = new dns.Resolver();
  other.setServers(['1.1.1.1', '8.8.8.8:54', '[::1]:55', '::2']);
  console.log(other.getServers());
});
