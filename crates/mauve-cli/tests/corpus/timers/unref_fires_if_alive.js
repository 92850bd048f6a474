setTimeout(() => console.log('unref fires'), 2).unref();
setTimeout(() => console.log('end'), 15);
