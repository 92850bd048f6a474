process.on('uncaughtException', (e) => console.log('caught', e));
setTimeout(() => { throw 'string'; }, 1);
setTimeout(() => { throw null; }, 2);
setTimeout(() => { throw { code: 5 }; }, 3);
setTimeout(() => { throw undefined; }, 4);
