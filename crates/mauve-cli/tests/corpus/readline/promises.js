// readline/promises on a custom stream.
const readline = require('readline/promises');
const { PassThrough } = require('stream');
(async () => {
  const input = new PassThrough();
  const rl = readline.createInterface({ input, output: process.stdout });
  setImmediate(() => input.write('blue\n'));
  console.log(`<${await rl.question('Colour? ')}>`);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 10);
  await rl.question('Never? ', { signal: controller.signal }).catch((err) => console.log(err.name));
  rl.close();
  await rl.question('x').catch((err) => console.log(err.code));
})();
