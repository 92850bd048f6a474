// The order of fs promises relative to ticks and microtasks, one operation at a time.
const fs = require('fs/promises');
(async () => {
  const handle = await fs.open(__filename);
  process.nextTick(() => console.log('tick after open'));
  Promise.resolve().then(() => console.log('microtask after open'));
  const { size } = await handle.stat();
  console.log('stat', size > 100);
  setImmediate(() => console.log('immediate'));
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(10), 0, 10, 0);
  console.log('read', bytesRead, String(buffer));
  await handle.close();
  console.log('closed');
  let lines = 0;
  for await (const line of (await fs.open(__filename)).readLines()) lines += line.length > 0 ? 1 : 0;
  console.log(lines > 5);
})();
