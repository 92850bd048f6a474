// Asynchronous operations keep their stores, and are visible to hooks.
const crypto = require('crypto');
const { AsyncLocalStorage, createHook } = require('async_hooks');
const types = [];
createHook({ init(id, type) { if (type.endsWith('REQUEST')) types.push(type); } }).enable();

const store = new AsyncLocalStorage();
const wait = (start) => new Promise((resolve) => start(() => resolve(store.getStore())));
store.run('kept', async () => {
  console.log(await wait((done) => crypto.pbkdf2('a', 'b', 1, 1, 'sha1', done)));
  console.log(await wait((done) => crypto.scrypt('a', 'b', 1, done)));
  console.log(await wait((done) => crypto.hkdf('sha1', 'a', 'b', 'c', 1, done)));
  console.log(await wait((done) => crypto.randomBytes(3, done)));
  console.log(await wait((done) => crypto.randomFill(Buffer.alloc(3), done)));
  await crypto.subtle.digest('SHA-1', Buffer.alloc(1));
  console.log(store.getStore(), types);
});
