const t = setTimeout(() => {}, 1);
console.log(Object.keys(t).includes('_idleTimeout'), t._idleTimeout, t._destroyed, t._repeat, typeof t._onTimeout);
clearTimeout(t);
console.log(t._destroyed);
const i = setImmediate(() => {});
console.log(i.constructor.name, i.hasRef(), i.unref().hasRef(), i.ref().hasRef());
