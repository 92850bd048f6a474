// Performance entries of http, net and dns.
const { PerformanceObserver } = require('perf_hooks');
const dns = require('dns');
const http = require('http');
const net = require('net');

const entries = [];
const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
observer.observe({ entryTypes: ['http', 'net', 'dns'] });

const server = http.createServer((req, res) => {
  res.setHeader('X-Answer', '1');
  res.end('ok');
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  http.get({ port, host: '127.0.0.1', path: '/a', agent: false }, (res) => res.resume().on('end', () => server.close()));
});
dns.lookup('localhost', { family: 4 }, () => {});
dns.lookupService('127.0.0.1', 22, () => {});
net.connect({ port: 1, host: '127.0.0.1' }).on('error', (error) => console.log(error.code));

process.on('exit', () => {
  entries.sort((a, b) => (`${a.entryType} ${a.name}` < `${b.entryType} ${b.name}` ? -1 : 1));
  for (const entry of entries) {
    const { req, res } = entry.detail;
    console.log(entry.constructor.name, entry.entryType, entry.name, entry.startTime > 0, entry.duration >= 0,
      Object.keys(entry.detail).sort().join());
    if (req) console.log(req.method, req.url.replace(/:\d+/, ':PORT'), Object.keys(req.headers).length > 0, res.statusCode, res.statusMessage, res.headers['x-answer']);
  }
});
