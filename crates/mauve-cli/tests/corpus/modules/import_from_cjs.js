(async () => {
  console.log((await import('./fixtures/lib.mjs')).named);
  const fs = await import('fs');
  console.log(typeof fs.default.readFile, typeof fs.readFile);
  console.log((await import('./fixtures/a.js')).default.name);
})();
console.log('main');
process.nextTick(() => console.log('tick'));
