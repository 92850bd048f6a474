// Immediates that immediates add run in the next iteration.
setImmediate(() => {
  console.log(1);
  setImmediate(() => { console.log(3); setImmediate(() => console.log(5)); });
});
setImmediate(() => { console.log(2); setImmediate(() => console.log(4)); });
