for (const v of [undefined, null, 0, 12345, 'x', {}, [], NaN, Symbol.iterator && undefined]) clearTimeout(v);
const t = setTimeout(() => console.log('never'), 1);
clearTimeout(+t);
const u = setTimeout(() => console.log('never either'), 1);
clearInterval(`${+u}`);
const i = setInterval(() => console.log('nor this'), 1);
clearTimeout(i);
console.log(typeof t, typeof +t);
