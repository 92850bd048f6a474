import('./fixtures/lib.mjs').then((m) => console.log(m.named));
import('fs').then((m) => console.log(typeof m.default.readFile, typeof m.readFile));
console.log('main');
process.nextTick(() => console.log('tick'));
