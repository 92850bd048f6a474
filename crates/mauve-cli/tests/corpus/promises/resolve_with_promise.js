// Resolving with a promise takes two more jobs.
new Promise((resolve) => resolve(Promise.resolve())).then(() => console.log('resolved with a promise'));
let p = Promise.resolve();
for (let i = 0; i < 5; i++) p = p.then(() => console.log(i));
