// A tick refreshes a timer that is due already: it fires once, now.
let fired = 0;
setTimeout(() => {
  console.log('first');
  process.nextTick(() => second.refresh());
}, 1);
const second = setTimeout(() => console.log('second', ++fired, second._destroyed), 1);
setTimeout(() => console.log('fired', fired, second._destroyed), 30);

// A refresh after the timer has fired starts it again.
let calls = 0;
const again = setTimeout(() => {
  console.log('again', again._destroyed);
  if (calls++ === 0) setTimeout(() => { console.log(again._destroyed); again.refresh(); console.log(again._destroyed); }, 30);
}, 60);
