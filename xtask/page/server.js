// The program of the README's picture: a server and its clients. It reads and compresses files, hashes
// passwords on the pool, and has one slow request.
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const zlib = require('zlib');

const REQUESTS = 240;

function sendFile(response) {
  fs.readFile(__filename, (error, data) => {
    if (error) throw error;
    zlib.gzip(Buffer.concat(Array(60).fill(data)), (failure, packed) => {
      if (failure) throw failure;
      setImmediate(() => response.end(packed));
    });
  });
}

function login(response) {
  crypto.pbkdf2('secret', 'salt', 2500, 32, 'sha256', () => response.end('welcome'));
}

function report(response) {
  const rows = Array.from({ length: 60_000 }, (_, i) => `${(i * 7919) % 60_000} of the report`);
  response.end(rows.sort().slice(0, 10).join('\n'));
}

const routes = { '/file': sendFile, '/login': login, '/report': report };

function handle(request, response) {
  routes[request.url](response);
}

const server = http.createServer(handle);
const agent = new http.Agent({ keepAlive: true, maxSockets: 6 });
const ticks = setInterval(() => {}, 2);
let [sent, answered] = [0, 0];

function send() {
  if (sent === REQUESTS) return;
  sent++;
  const path = sent % 80 === 0 ? '/report' : sent % 2 === 0 ? '/file' : '/login';
  http.get({ port: server.address().port, path, agent }, response => {
    response.resume();
    response.on('end', () => {
      send();
      if (++answered < REQUESTS) return;
      clearInterval(ticks);
      agent.destroy();
      server.close();
    });
  });
}

server.listen(0, '127.0.0.1', () => {
  for (let i = 0; i < 6; i++) send();
});
