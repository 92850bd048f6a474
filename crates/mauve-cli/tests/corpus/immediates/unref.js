setImmediate(() => console.log('unref\'d runs if the loop turns')).unref();
setTimeout(() => console.log('timer'), 5);
