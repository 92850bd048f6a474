// clearImmediate leaves timers alone, and clearTimeout immediates.
const first = setTimeout(() => console.log('first'), 5);
clearImmediate(first);
console.log(first._destroyed, first.hasRef());
const second = setTimeout(() => console.log('refreshed'), 5);
clearImmediate(second);
second.refresh();
console.log(second._destroyed);
const interval = setInterval(() => clearInterval(interval), 1);
clearImmediate(interval);
const third = setTimeout(() => console.log('never'), 5);
clearImmediate(third);
clearTimeout(third);
console.log(third.refresh() === third);
clearTimeout(setImmediate(() => console.log('immediate')));
clearImmediate({});
clearImmediate(null);
setTimeout(() => console.log('end'), 40);
