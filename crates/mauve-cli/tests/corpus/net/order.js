// The order of socket events relative to ticks, promises and immediates.
const net = require('net');
const log = (...args) => console.log(...args);

function between(name) {
  process.nextTick(() => log(name, '- tick'));
  Promise.resolve().then(() => log(name, '- promise'));
  setImmediate(() => log(name, '- immediate'));
}

const server = net.createServer((peer) => {
  log('connection');
  between('connection');
  peer.on('data', (data) => { log('peer data', data.length); between('peer data'); });
  peer.on('end', () => { log('peer end'); between('peer end'); });
  peer.on('close', () => { log('peer close'); between('peer close'); });
});
server.on('listening', () => { log('listening'); between('listening'); });
server.on('close', () => { log('server close'); between('server close'); });
server.listen(0, '127.0.0.1', () => {
  setTimeout(() => {
    const client = net.connect(server.address().port, '127.0.0.1');
    log('called');
    between('called');
    client.on('connect', () => { log('connect'); });
    client.on('ready', () => { log('ready'); });
    // Each step starts when the previous one is complete on both sides.
    server.on('connection', (peer) => {
      setTimeout(() => {
        client.write('abc', () => { log('written'); between('written'); });
        log('after write');
        between('after write');
      }, 20);
      peer.on('data', () => setTimeout(() => {
        client.end(() => { log('ended'); between('ended'); });
        log('after end');
        server.close();
      }, 20));
    });
    client.on('end', () => { log('client end'); });
    client.on('finish', () => { log('client finish'); });
    client.on('close', () => { log('client close'); });
  }, 5);
});
