// Shows in which phase of the loop each callback runs:
//
//   mauve run --phases examples/order.js
const fs = require('fs');

setTimeout(function timer() {
  process.nextTick(function tickOfTimer() {});
  Promise.resolve().then(() => {});
}, 0);
setImmediate(function immediate() {});
process.nextTick(function tick() {});
queueMicrotask(() => {});

fs.readFile(__filename, function read() {
  setTimeout(function timerOfRead() {}, 0);
  setImmediate(function immediateOfRead() {}); // always before the timer: check follows poll
});
