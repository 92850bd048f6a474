const net = require('net');

const list = new net.BlockList();
list.addAddress('1.2.3.4');
list.addRange('10.0.0.1', '10.0.0.9');
list.addSubnet('2001:db8::', 32, 'ipv6');
list.addSubnet('192.168.0.0', 16);
list.addAddress(new net.SocketAddress({ address: '::1', family: 'ipv6' }));
console.log(list.rules);
console.log(list);
for (const [address, family] of [['1.2.3.4'], ['1.2.3.5'], ['::ffff:1.2.3.4', 'ipv6'], ['10.0.0.5'], ['10.0.0.10'],
  ['192.168.9.9'], ['2001:db8:1::', 'ipv6'], ['2001:db9::', 'ipv6'], ['::1', 'ipv6'], ['x']]) {
  console.log(address, list.check(address, family));
}
for (const work of [() => list.addAddress(1), () => list.addAddress('x'), () => list.addAddress('1.2.3.4', 'ipv5'),
  () => list.addSubnet('1.2.3.4', 33), () => list.addSubnet('1.2.3.4', 'x'), () => list.addRange('10.0.0.9', '10.0.0.1'),
  () => list.check(1), () => new net.SocketAddress(1), () => new net.SocketAddress({ port: -1 }),
  () => new net.SocketAddress({ family: 'x' }), () => new net.SocketAddress({ address: '::1' })]) {
  try {
    console.log(work());
  } catch (err) {
    console.log(err.name, err.code, err.message);
  }
}
const address = new net.SocketAddress({ address: '127.0.0.1', port: 80 });
console.log(address, address.toJSON(), JSON.stringify(address), net.SocketAddress.isSocketAddress(address));
console.log(new net.SocketAddress(), new net.SocketAddress({ family: 'ipv6' }));
