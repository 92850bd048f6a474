// The number of a timer is that of its creation, not of its first conversion.
const first = setTimeout(() => {}, 1);
const second = setTimeout(() => {}, 1);
console.log(+second > +first, +first === +first, `${second}` === String(+second));
const third = setInterval(() => console.log('never'), 1);
clearInterval(String(+third));
console.log(third._destroyed, third._idleTimeout, third._onTimeout);
clearTimeout(+first);
console.log(first._destroyed, first.hasRef());
setTimeout(() => {
  console.log(second._destroyed, second._idleTimeout, second.hasRef());
}, 20);
