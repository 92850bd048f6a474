process.nextTick(() => setTimeout(() => console.log('of tick'), 2));
Promise.resolve().then(() => setTimeout(() => console.log('of promise'), 2));
setTimeout(() => console.log('of main'), 2);
