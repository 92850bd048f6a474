// clearImmediate stops timers as well, and clearTimeout leaves immediates alone.
const first = setTimeout(() => console.log('never'), 5);
clearImmediate(first);
console.log(first._destroyed, first.hasRef());
const second = setTimeout(() => console.log('refreshed'), 5);
clearImmediate(second);
second.refresh();
console.log(second._destroyed);
clearImmediate(setInterval(() => console.log('never'), 1));
const third = setTimeout(() => console.log('never'), 5);
clearImmediate(third);
clearTimeout(third);
console.log(third.refresh() === third);
clearTimeout(setImmediate(() => console.log('immediate')));
clearImmediate({});
clearImmediate(null);
setTimeout(() => console.log('end'), 40);
