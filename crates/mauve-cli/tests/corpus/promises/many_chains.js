const log = [];
for (let c = 0; c < 4; c++) {
  let p = Promise.resolve();
  for (let i = 0; i < 4; i++) p = p.then(() => log.push(`${c}${i}`));
}
process.nextTick(() => log.push('tick'));
setImmediate(() => console.log(log.join(' ')));
