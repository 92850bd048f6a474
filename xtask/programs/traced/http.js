// 1,000 HTTP requests and 200 jobs
const assert = require('assert');
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');

const REQUESTS = 1000;
const JOBS = 100;

const server = http.createServer((request, response) => response.end('hello'));
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
let [sent, answered, worked] = [0, 0, 0];

function finish() {
  if (answered < REQUESTS || worked < 2 * JOBS) return;
  agent.destroy();
  server.close(() => console.log('all done'));
}

function send() {
  if (sent === REQUESTS) return;
  sent++;
  http.get({ port: server.address().port, agent }, response => {
    response.resume();
    response.on('end', () => {
      answered++;
      send();
      finish();
    });
  });
}

function work(error) {
  assert.ifError(error);
  worked++;
  finish();
}

server.listen(0, '127.0.0.1', () => {
  for (let i = 0; i < 8; i++) send();
  for (let i = 0; i < JOBS; i++) {
    crypto.pbkdf2('secret', 'salt', 10, 32, 'sha256', work);
    fs.stat(__filename, work);
  }
});
