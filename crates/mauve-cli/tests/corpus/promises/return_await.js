async function plain() { return 1; }
async function viaPromise() { return Promise.resolve(2); }
async function viaAwait() { return await Promise.resolve(3); }
plain().then(console.log); viaPromise().then(console.log); viaAwait().then(console.log);
let p = Promise.resolve(); for (let i = 0; i < 6; i++) p = p.then(() => console.log('step', i));
