// A pass of timers uses the time at which it began: timers that become due during the pass wait for the
// next one, after I/O and immediates.
const fs = require('fs');

function busy(ms) {
  for (const end = Date.now() + ms; Date.now() < end;);
}

setTimeout(() => {
  setTimeout(() => console.log('timer of a slow timer'), 1);
  setImmediate(() => console.log('immediate of a slow timer'));
  busy(5);
}, 1);

setTimeout(() => {
  let calls = 0;
  const interval = setInterval(() => {
    busy(3);
    if (++calls === 100) clearInterval(interval);
  }, 1);
  fs.stat('/', () => {
    console.log('stat before the tenth call', calls < 10);
    clearInterval(interval);
  });
}, 50);
