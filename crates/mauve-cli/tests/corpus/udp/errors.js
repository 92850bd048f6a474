const dgram = require('dgram');

function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (err) {
    console.log(name, err.name, err.code, err.message);
  }
}
attempt('type', () => dgram.createSocket('udp5'));
attempt('none', () => dgram.createSocket());
const first = dgram.createSocket('udp4');
attempt('address unbound', () => first.address());
attempt('ttl', () => first.setTTL('x'));
first.bind(0, '127.0.0.1', () => {
  const { port } = first.address();
  attempt('bind twice', () => first.bind(0));
  const second = dgram.createSocket('udp4');
  second.on('error', (err) => {
    console.log(err.code, err.errno, err.syscall, err.address, err.port === port, err.message.replace(port, 'PORT'));
    second.close();
    attempt('ttl 0', () => first.setTTL(0));
    attempt('ttl 64', () => first.setTTL(64));
    attempt('ttl 1000', () => first.setTTL(1000));
    attempt('multicast ttl', () => first.setMulticastTTL(3));
    attempt('loopback', () => first.setMulticastLoopback(true));
    attempt('broadcast', () => first.setBroadcast(true));
    attempt('membership', () => first.addMembership());
    attempt('bad membership', () => first.addMembership('127.0.0.1'));
    attempt('interface', () => first.setMulticastInterface('nonsense'));
    attempt('size', () => first.setRecvBufferSize(-1));
    attempt('sizes', () => { first.setRecvBufferSize(4096); return first.getRecvBufferSize() >= 4096; });
    attempt('send sizes', () => { first.setSendBufferSize(8192); return first.getSendBufferSize() >= 8192; });
    attempt('queue', () => [first.getSendQueueSize(), first.getSendQueueCount()]);
    first.close();
    attempt('closed', () => first.close());
    attempt('closed address', () => first.address());
    attempt('closed bind', () => first.bind());
  });
  second.bind(port, '127.0.0.1', () => console.log('must not be bound'));
});
