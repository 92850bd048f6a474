setTimeout(() => {
  console.log('timer');
  setImmediate(() => console.log('immediate'));
  setTimeout(() => console.log('timer 2'), 0);
  process.nextTick(() => console.log('tick'));
}, 1);
