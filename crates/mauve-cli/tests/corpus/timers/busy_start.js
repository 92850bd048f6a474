setTimeout(() => console.log('60'), 60);
setTimeout(() => { console.log('1'); setTimeout(() => console.log('1 of 1'), 30); setImmediate(() => console.log('immediate')); }, 1);
const t = Date.now(); while (Date.now() - t < 90);
