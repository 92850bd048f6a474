// Ticks starve everything else until they stop.
let n = 0;
setImmediate(() => console.log('immediate', n));
Promise.resolve().then(() => console.log('promise', n));
(function again() { if (++n < 1000) process.nextTick(again); })();
