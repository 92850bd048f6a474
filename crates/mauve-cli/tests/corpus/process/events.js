console.log(process.listenerCount('exit'), typeof process.on, process.emit('nothing'));
process.once('custom', (x) => console.log('custom', x));
console.log(process.emit('custom', 1), process.emit('custom', 2));
console.log(process instanceof require('events'));
