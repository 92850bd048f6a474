queueMicrotask(() => console.log('m1'));
Promise.resolve().then(() => console.log('p1'));
queueMicrotask(() => { console.log('m2'); queueMicrotask(() => console.log('m3')); });
Promise.resolve().then(() => console.log('p2')).then(() => console.log('p3'));
process.nextTick(() => { console.log('t'); queueMicrotask(() => console.log('m of t')); });
for (const bad of [undefined, 1, {}]) {
  try { queueMicrotask(bad); } catch (e) { console.log(e.name, e.code, e.message); }
}
