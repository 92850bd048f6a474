// The option onread: one buffer, a function that returns buffers, and pauses.
const net = require('net');

function run(title, buffer, callback, next) {
  const server = net.createServer((socket) => {
    server.close();
    socket.end('hello world');
  });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect({
      port: server.address().port,
      host: '127.0.0.1',
      onread: {
        buffer,
        callback(size, bytes) {
          console.log(title, size, Buffer.from(bytes.subarray(0, size)).toString());
          return callback?.call(this);
        },
      },
    });
    client.on('data', () => console.log('data')).on('end', () => console.log(title, 'end', client.bytesRead));
    client.on('close', next);
  });
}

const buffers = [Buffer.alloc(4), Buffer.alloc(2)];
let calls = 0;
const getBuffer = () => buffers[calls++ % 2];

run('one', Buffer.alloc(8), null, () => {
  run('several', getBuffer, null, () => {
    console.log('buffers', calls);
    run('paused', new Uint8Array(8), function() {
      this.pause();
      setTimeout(() => this.resume(), 5);
    }, () => {
      run('false', Buffer.alloc(3), function() {
        setTimeout(() => this.resume(), 5);
        return false;
      }, () => console.log('done'));
    });
  });
});
