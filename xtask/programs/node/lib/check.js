// What all checks begin and end with: our library is the one mapped, and the work was finished.
'use strict';
const assert = require('assert');
const fs = require('fs');

// Whether this process runs on the library that LIBUV names, and on no other.
function onOurLibrary() {
  const mapped = fs.readFileSync('/proc/self/maps', 'utf8').split('\n')
    .map((line) => line.slice(line.indexOf('/'))).filter((path) => /\/libuv\.so/.test(path));
  assert.deepStrictEqual([...new Set(mapped)], [process.env.LIBUV]);
}

// Runs an async function. If the loop ends before the function does, the last line is missing.
function main(work) {
  onOurLibrary();
  let done = false;
  work().then(() => { done = true; }, (error) => {
    console.error(error);
    process.exit(1);
  });
  // A handle that is not closed would keep the process alive until the patience with it ends.
  process.on('exit', (code) => { if (done && code === 0) console.log('all done'); });
}

module.exports = { assert, main, onOurLibrary };
