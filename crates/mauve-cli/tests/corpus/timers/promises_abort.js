// How many microtasks later the promise of a timer settles.
const timers = require('timers/promises');

function count(label, promise) {
  let jobs = 0;
  let done = false;
  const step = () => { if (!done && jobs++ < 50) queueMicrotask(step); };
  const end = (how) => () => { done = true; console.log(label, how, jobs); };
  promise.then(end('resolved'), end('rejected'));
  return step;
}

for (const [label, start] of [
  ['timeout', (options) => timers.setTimeout(1000, 'value', options)],
  ['immediate', (options) => timers.setImmediate('value', options)],
  ['interval', (options) => timers.setInterval(1000, 'value', options).next()],
]) {
  const controller = new AbortController();
  const step = count(label, start({ signal: controller.signal }));
  setImmediate(() => {});
  process.nextTick(() => {
    controller.abort();
    step();
  });
}

const controller = new AbortController();
timers.setTimeout(20, 'value', { signal: controller.signal }).then((value) => {
  controller.abort();
  console.log(value);
});
(async () => {
  const { signal } = controller;
  try {
    for await (const x of timers.setInterval(2, 'x', { signal })) if (x !== "x") console.log(x);
  } catch (err) {
    console.log(err.name, err.code);
  }
})().then(() => console.log('done'));
