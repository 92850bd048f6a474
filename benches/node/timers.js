// Many immediates and timeouts.
'use strict';
const { measure } = require('./lib');

function immediates(count) {
  return new Promise((done) => {
    let left = count;
    const step = () => (--left > 0 ? setImmediate(step) : done());
    setImmediate(step);
  });
}

// With different durations, because Node has one timer list per duration.
function timeouts(count) {
  return new Promise((done) => {
    let left = count;
    const step = () => --left === 0 && done();
    for (let i = 0; i < count; i++) setTimeout(step, 1 + (i % 200));
  });
}

function chained(count) {
  return new Promise((done) => {
    let left = count;
    const step = () => (--left > 0 ? setTimeout(step, 1) : done());
    setTimeout(step, 1);
  });
}

(async () => {
  await immediates(100000);
  await timeouts(100000);
  await measure('node: setImmediate, one after another', 200000, () => immediates(200000));
  await measure('node: setTimeout, 100,000 at once', 100000, () => timeouts(100000));
  await measure('node: setTimeout, one after another', 200, () => chained(200));
})();
