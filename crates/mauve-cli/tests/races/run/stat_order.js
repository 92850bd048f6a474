// Order of work: the latest result is expected to be that of the latest call.
const fs = require('fs');
let latest;
function update(file) {
  fs.stat(file, function done() { latest = file; });
}
update('/dev/null');
setTimeout(function later() { update('/dev'); }, 30);
process.on('exit', () => { if (latest !== '/dev') process.exitCode = 3; });
