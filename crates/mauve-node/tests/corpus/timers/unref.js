const t = setTimeout(() => console.log('never'), 30);
console.log(t.hasRef(), t.unref() === t, t.hasRef(), t.ref().hasRef());
t.unref();
setTimeout(() => console.log('short'), 1);
const i = setInterval(() => console.log('never too'), 50).unref();
