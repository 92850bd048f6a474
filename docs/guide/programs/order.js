// The order of Node's queues, in the main script and in a callback.
// phases
const fs = require('fs');

const log = (text) => console.log(text);

fs.stat(__filename, function statDone() {
  log('poll: the callback of fs.stat');
  setTimeout(function timer() {
    log('  timers: setTimeout 0');
  }, 0);
  setImmediate(function immediate() {
    log('  check: setImmediate');
    process.nextTick(function tickOfImmediate() {
      log('    its nextTick, before the next immediate');
    });
  });
  setImmediate(function immediate2() {
    log('  check: the second setImmediate');
  });
  Promise.resolve().then(() => log('  then: a promise'));
  process.nextTick(function tick() {
    log('  first: nextTick');
    Promise.resolve().then(() => log('  then: a promise of the tick'));
  });
  log('  the callback returns');
});

Promise.resolve().then(() => log('main: a promise'));
process.nextTick(() => log('main: nextTick'));
log('main: the script ends');
