// The store of a promise that nothing awaits is not that of the promises after it.
const { AsyncLocalStorage } = require('async_hooks');

const storage = new AsyncLocalStorage();
const log = (name) => console.log(name, storage.getStore());

async function* numbers() {
  try {
    yield 1;
  } finally {
    await null;
    log('finally');
  }
}

// Made before promises are tracked.
new Promise((resolve) => setImmediate(resolve)).then(() => log('then'));
storage.run('store', () => {
  const generator = numbers();
  generator.next().then(() => log('next'));
  generator.return().then(() => log('return'));
  generator.next();
});
