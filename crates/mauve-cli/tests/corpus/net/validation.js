const net = require('net');

function attempt(name, work) {
  try {
    work();
    console.log(name, 'ok');
  } catch (err) {
    console.log(name, err.name, err.code, err.message);
  }
}

attempt('no port', () => net.connect({}));
attempt('nothing', () => net.connect());
attempt('port', () => net.connect({ port: 'abc' }));
attempt('port 2', () => net.connect({ port: 70000 }));
attempt('port 3', () => net.connect({ port: true }));
attempt('path', () => net.connect({ path: 1 }));
attempt('local', () => net.connect({ port: 1, localAddress: 'x' }));
attempt('local port', () => net.connect({ port: 1, localPort: 'x' }));
attempt('lookup', () => net.connect({ port: 1, host: 'name', lookup: 1 }));
attempt('object mode', () => new net.Socket({ objectMode: true }));
attempt('server options', () => net.createServer('x'));
attempt('get connections', () => net.createServer().getConnections());
attempt('write', () => new net.Socket().write(1));
attempt('write null', () => new net.Socket().write(null));
attempt('family', () => net.setDefaultAutoSelectFamily(1));
attempt('timeout', () => net.setDefaultAutoSelectFamilyAttemptTimeout('x'));
const fs = require('fs');
const fd = fs.openSync(__filename);
attempt('a file', () => new net.Socket({ fd }));
attempt('negative', () => new net.Socket({ fd: -1 }));
attempt('still open', () => fs.readSync(fd, Buffer.alloc(4)));
fs.closeSync(fd);
