// Early close, and unref.
const dgram = require('dgram');

const early = dgram.createSocket('udp4');
early.on('close', () => console.log('early closed'));
early.on('listening', () => console.log('must not listen'));
early.bind(0);
early.close();

const queued = dgram.createSocket('udp4');
queued.on('close', () => console.log('queued closed'));
queued.send('x', 9, '127.0.0.1', (err) => console.log('queued sent', err));
queued.close();

const quiet = dgram.createSocket('udp4');
quiet.bind(0, '127.0.0.1', () => console.log('quiet', quiet.unref() === quiet));

const controller = new AbortController();
const aborted = dgram.createSocket({ type: 'udp4', signal: controller.signal });
aborted.on('close', () => console.log('aborted closed'));
setTimeout(() => controller.abort(), 5);
process.on('exit', () => console.log('exit'));
