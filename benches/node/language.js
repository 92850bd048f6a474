// What the language itself does: JSON of about 10 MB, and promises.
'use strict';
const { measure } = require('./lib');

const COUNT = 100_000;

function records(count) {
  const list = [];
  for (let i = 0; i < count; i++) {
    const nested = { x: i / 3, y: null, z: true };
    list.push({ id: i, name: `item ${i}`, tags: ['a', 'b', String(i)], nested, text: `some words and a number ${i}` });
  }
  return list;
}

async function pass(value) {
  await null;
  return value;
}

(async () => {
  const list = records(68_000);
  let text;
  await measure('JSON.stringify of 10 MB', 1, () => { text = JSON.stringify(list); });
  await measure('JSON.parse of 10 MB', 1, () => JSON.parse(text));
  await measure('await of an async function', COUNT, async () => {
    for (let i = 0; i < COUNT; i++) await pass(i);
  });
  await measure('await of a value', COUNT, async () => {
    for (let i = 0; i < COUNT; i++) await i;
  });
  await measure('promises with then, and Promise.all', COUNT, async () => {
    const promises = [];
    for (let i = 0; i < COUNT; i++) promises.push(new Promise((done) => done(i)).then((value) => value + 1));
    await Promise.all(promises);
  });
  await measure('a chain of then', COUNT, async () => {
    let last = Promise.resolve(0);
    for (let i = 0; i < COUNT; i++) last = last.then((value) => value + 1);
    await last;
  });
})();
