process.nextTick(() => {
  console.log('t1');
  Promise.resolve().then(() => console.log('p of t1'));
  process.nextTick(() => console.log('t3'));
});
process.nextTick(() => {
  console.log('t2');
  Promise.resolve().then(() => console.log('p of t2'));
});
