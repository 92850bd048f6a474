let n = 0;
function tick() { console.log('tick', n); if (n++ < 5) Promise.resolve().then(micro); }
function micro() { console.log('micro', n); if (n++ < 5) process.nextTick(tick); }
process.nextTick(tick);
Promise.resolve().then(micro);
setImmediate(() => console.log('immediate'));
