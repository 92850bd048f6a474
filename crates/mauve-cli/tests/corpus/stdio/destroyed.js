// Standard streams stay usable after destroy().
process.stdout.destroy();
console.log('after destroy', process.stdout.destroyed);
process.stdout.once('close', () => console.log('close'));
setTimeout(() => {
  process.stdout.write('later\n', (error) => console.log('written', error ?? null));
  console.log(process.stdout.writable, process.stdout.destroyed);
}, 5);
