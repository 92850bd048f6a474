// Timer lists of several durations that are due together run list by list.
setTimeout(() => console.log('50a'), 50);
setTimeout(() => console.log('80a'), 80);
setTimeout(() => console.log('50b'), 50);
setTimeout(() => console.log('80b'), 80);
setTimeout(() => console.log('20'), 20);
const t = Date.now(); while (Date.now() - t < 120);
