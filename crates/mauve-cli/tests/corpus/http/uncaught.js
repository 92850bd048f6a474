// An uncaught exception in a handler exits the process.
const http = require('http');
const server = http.createServer(() => { throw new Error('out of the handler'); });
process.on('exit', (code) => console.log('exit', code));
server.listen(0, '127.0.0.1', () => http.get({ port: server.address().port, host: '127.0.0.1' }));
