// An unhandled 'error' event with a plain object exits the process.
const EventEmitter = require('events');
process.on('exit', (code) => console.log('exit', code));
new EventEmitter().emit('error', { a: 1 });
