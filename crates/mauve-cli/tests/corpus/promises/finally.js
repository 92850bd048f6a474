Promise.resolve('v').finally(() => { console.log('f1'); return 'ignored'; }).then(console.log);
Promise.reject(new Error('e')).finally(() => console.log('f2')).catch((e) => console.log(e.message));
Promise.resolve().finally(() => { throw new Error('from finally'); }).catch((e) => console.log(e.message));
Promise.resolve().then(() => console.log(1)).then(() => console.log(2)).then(() => console.log(3)).then(() => console.log(4));
