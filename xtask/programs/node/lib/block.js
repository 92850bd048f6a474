// Blocks the loop until the report of the watchdog names the functions of this file, which goes to `stderr`.
'use strict';
const fs = require('fs');

function burn(begin) {
  const isReported = () => /burn \(.*block\.js:\d+\)\n\s+onTimeout \(/.test(fs.readFileSync('stderr', 'utf8'));
  while (!isReported()) {
    if (Date.now() - begin > 40_000) process.exit(1);
    for (const pause = Date.now(); Date.now() - pause < 200;);
  }
}

function onTimeout() {
  burn(Date.now());
  console.log('all done');
}

setTimeout(onTimeout, 1);
