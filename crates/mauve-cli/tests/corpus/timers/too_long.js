process.on('warning', (w) => console.log(w.name, w.message));
setTimeout(() => console.log('at once'), 2 ** 31);
setTimeout(() => console.log('infinity'), Infinity);
