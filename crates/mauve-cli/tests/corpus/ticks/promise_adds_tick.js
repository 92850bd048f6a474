// A tick that a promise adds runs after all microtasks.
Promise.resolve().then(() => {
  console.log('p1');
  process.nextTick(() => console.log('tick of p1'));
}).then(() => console.log('p2')).then(() => console.log('p3'));
Promise.resolve().then(() => console.log('q1')).then(() => console.log('q2'));
