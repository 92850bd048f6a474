// The channels of http and net, and what their messages contain.
const channels = require('diagnostics_channel');
const http = require('http');
const net = require('net');

const NAMES = [
  'http.client.request.start', 'http.client.request.error', 'http.client.response.finish',
  'http.server.request.start', 'http.server.response.finish', 'net.client.socket', 'net.server.socket',
];
for (const name of NAMES) channels.subscribe(name, (message) => console.log(name, Object.keys(message).join()));
channels.tracingChannel('net.server.listen').subscribe({
  asyncStart: ({ options }) => console.log('listen start', typeof options.port),
  asyncEnd: (message) => console.log('listen end', Object.keys(message).join()),
  error: ({ error }) => console.log('listen error', error.code),
});

const server = http.createServer((req, res) => {
  console.log('request');
  res.on('finish', () => console.log('finish'));
  res.end('x');
}).listen(0, () => {
  const { port } = server.address();
  const second = net.createServer().on('error', (error) => console.log(error.code)).listen(port, () => {});
  const req = http.request({ port, host: '127.0.0.1', agent: false }, (res) => {
    console.log('response');
    res.resume().on('end', () => {
      console.log('end');
      second.close(() => {});
      server.close(() => http.get({ port: 1, host: '127.0.0.1', agent: false }).on('error', (e) => console.log(e.code)));
    });
  });
  setTimeout(() => {
    console.log('before end');
    req.end();
    console.log('after end');
  }, 20);
});
