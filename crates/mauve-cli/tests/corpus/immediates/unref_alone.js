setImmediate(() => console.log('never')).unref();
