// stdin through a transform to stdout.
// stdin: make me loud\n
const { Transform } = require('stream');
const upper = new Transform({ transform: (chunk, encoding, cb) => cb(null, String(chunk).toUpperCase()) });
process.stdin.pipe(upper).pipe(process.stdout);
process.stdin.on('end', () => console.log('(end)'));
