// Lists of several durations that come due together run list by list.
setTimeout(() => console.log('5a'), 5);
setTimeout(() => console.log('6a'), 6);
setTimeout(() => console.log('5b'), 5);
setTimeout(() => console.log('6b'), 6);
setTimeout(() => console.log('4'), 4);
const t = Date.now(); while (Date.now() - t < 20);
