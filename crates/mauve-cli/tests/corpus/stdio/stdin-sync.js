// Synchronous read of all of stdin.
// stdin: hello from stdin
const fs = require('fs');
console.log(fs.readFileSync(0, 'utf8').toUpperCase(), fs.readFileSync('/dev/stdin').length);
