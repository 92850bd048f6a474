const t = setTimeout(() => console.log('runs'), 5);
t.unref();
setTimeout(() => t.ref(), 1);
