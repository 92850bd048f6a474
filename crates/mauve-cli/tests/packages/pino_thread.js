// pino: transports on threads, one to standard output and one to a file.
const fs = require('fs');
const os = require('os');
const path = require('path');
const pino = require('pino');

const steady = { base: null, timestamp: false };
// Neither threads nor Atomics.waitAsync keep the program running.
const running = setInterval(() => {}, 1000);

function run(options, count, next) {
  const transport = pino.transport({ target: 'pino/file', options });
  const logger = pino(steady, transport);
  transport.on('ready', () => {
    for (let i = 0; i < count; i++) logger.info({ i }, 'x'.repeat(i));
    logger.flush((error) => {
      console.log('flushed', error);
      transport.end();
    });
  });
  transport.on('close', next);
}

run({ destination: 1 }, 3, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pino-'));
  const destination = path.join(folder, 'log');
  run({ destination }, 500, () => {
    const lines = fs.readFileSync(destination, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    console.log(lines.length, lines.every(({ i, msg }, index) => i === index && msg.length === i));
    fs.rmSync(folder, { recursive: true });
    clearInterval(running);
  });
});
