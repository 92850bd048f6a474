const net = require('net');

const first = net.createServer();
first.listen(0, '127.0.0.1', () => {
  const { port } = first.address();
  const second = net.createServer();
  second.on('error', (err) => {
    console.log(Object.keys(err), err.code, err.errno, err.syscall, err.address, err.port === port);
    console.log(err.message.replace(port, 'PORT'), second.listening, second.address());
    first.close(() => {
      console.log('closed', first.address());
      second.listen(port, '127.0.0.1', () => {
        console.log('now it is free');
        second.close();
      });
    });
  });
  second.on('close', () => console.log('second closed'));
  second.listen(port, '127.0.0.1');
});

const nowhere = net.createServer();
nowhere.on('error', (err) => console.log(err.message));
nowhere.listen('/no/such/directory/socket');

const foreign = net.createServer();
foreign.on('error', (err) => console.log(err.message));
foreign.listen(0, '192.0.2.1');

for (const args of [[{}], [{ port: -1 }], [65536], [{ port: 'x' }], [{ port: 1.5 }], [true]]) {
  try {
    net.createServer().listen(...args);
  } catch (err) {
    console.log(err.name, err.code, err.message);
  }
}
try {
  first.listen(0);
} catch (err) {
  console.log(err.code, err.message);
}
net.createServer().close((err) => console.log('not running:', err.code, err.message));
