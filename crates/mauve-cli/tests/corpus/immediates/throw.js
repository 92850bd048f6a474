process.on('uncaughtException', (e) => console.log('caught', e.message));
for (let i = 0; i < 4; i++) setImmediate(() => { console.log(i); process.nextTick(() => console.log('tick', i)); if (i % 2) throw new Error(`of ${i}`); });
