// Clients of the store in docs/blocking.md: 16 connections that set and get values for a while. One
// request in 500 is "save". Prints how long the other requests took.
const net = require('net');

const PORT = 7070;
const REQUESTS = 20_000;
const times = [];
let sent = 0;
let open = 16;

function nextCommand() {
  sent += 1;
  if (sent % 2500 === 0) return 'save';
  const key = `key${(sent * 7919) % 3000}`;
  return sent % 3 === 0 ? `set ${key} value${sent}` : `get ${key}`;
}

function report() {
  times.sort((a, b) => a - b);
  const at = share => `${times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2)} ms`;
  console.log(`${times.length} requests: p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, max ${at(1)}`);
}

function client() {
  const socket = net.connect(PORT, '127.0.0.1');
  let command = '';
  let begin = 0;
  const next = () => {
    if (sent >= REQUESTS) {
      socket.end();
      if (--open === 0) report();
      return;
    }
    command = nextCommand();
    begin = performance.now();
    socket.write(`${command}\n`);
  };
  socket.on('connect', next);
  socket.on('data', () => {
    if (command !== 'save') times.push(performance.now() - begin);
    next();
  });
}

for (let i = 0; i < open; i++) client();
