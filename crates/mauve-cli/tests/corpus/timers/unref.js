const t = setTimeout(() => console.log('never'), 3000);
console.log(t.hasRef(), t.unref() === t, t.hasRef(), t.ref().hasRef());
t.unref();
setTimeout(() => console.log('short'), 1);
setInterval(() => console.log('never too'), 3000).unref();
