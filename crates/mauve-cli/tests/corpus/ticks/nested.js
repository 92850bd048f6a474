// Ticks added by ticks run in the same drain, in the order of their addition.
process.nextTick(() => {
  console.log(1);
  process.nextTick(() => { console.log(3); process.nextTick(() => console.log(5)); });
  process.nextTick(() => console.log(4));
});
process.nextTick(() => console.log(2));
console.log(0);
