// A tick that queues the next tick keeps the loop from going on. An immediate does not.
let ticks = 0;

function tick() {
  if (++ticks < 1000) process.nextTick(tick);
}

setImmediate(function first() {
  let [immediates, timerRan] = [1, false];
  setTimeout(() => {
    timerRan = true;
  }, 0);
  console.log(`the first immediate runs after all ${ticks} ticks`);
  setImmediate(function next() {
    immediates++;
    if (!timerRan) return setImmediate(next);
    console.log(`after ${immediates > 1 ? 'more' : 'no more'} immediates, the timer has run`);
  });
});
process.nextTick(tick);
