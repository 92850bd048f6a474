// A child that cannot be executed has streams, which end in the next poll phase.
const { fork, spawn } = require('child_process');

function watch(name, emitter, events) {
  for (const event of events) emitter.on(event, (...args) => console.log(name, event, args.map((arg) => arg?.code ?? arg)));
}

function iterate(left, done) {
  console.log('iteration');
  setImmediate(left > 0 ? () => iterate(left - 1, done) : done);
}

function spawnStreams(done) {
  const child = spawn('/nonexistent');
  watch('child', child, ['error', 'exit', 'spawn', 'close']);
  for (const name of ['stdin', 'stdout', 'stderr']) watch(name, child[name], ['end', 'close', 'error']);
  process.nextTick(() => console.log('tick'));
  iterate(3, done);
}

function spawnTwice(done) {
  spawn('/nonexistent').on('error', () => {}).on('close', () => console.log('first closed'));
  setImmediate(() => spawn('/nonexistent').on('error', () => {}).on('close', () => console.log('second closed')));
  iterate(3, done);
}

function forkWith(silent, done) {
  const child = fork('script', { execPath: '/nonexistent', silent });
  console.log(silent, child.connected);
  watch('fork', child, ['error', 'exit', 'disconnect', 'close']);
  iterate(3, done);
}

spawnStreams(() => spawnTwice(() => forkWith(false, () => forkWith(true, () => console.log('done')))));
