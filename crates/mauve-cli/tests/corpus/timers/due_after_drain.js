// A timer that is started in the drain after another one runs before the immediates, if it is due and a later
// call has updated the loop's time.
const timers = require('timers/promises');

function busy(ms) {
  for (const end = performance.now() + ms; performance.now() < end;);
}

function start(updates, isLate) {
  console.log(updates, isLate);
  setTimeout(() => console.log('first timer'), 1);
  busy(5);
  setImmediate(() => console.log('immediate'));
  if (updates) setTimeout(() => console.log('second timer'), 100);
  if (isLate) process.nextTick(busy, 5);
}

(async () => {
  for (const updates of [false, true]) {
    for (const isLate of [false, true]) {
      await timers.setTimeout(1);
      start(updates, isLate);
      await timers.setTimeout(200);
      setTimeout(() => process.nextTick(start, updates, isLate), 1);
      await timers.setTimeout(200);
    }
  }
})();
