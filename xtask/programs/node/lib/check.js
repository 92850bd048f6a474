// The harness of all checks: asserts the library, runs the check, and prints that it is done.
'use strict';
const assert = require('assert');
const fs = require('fs');

// Asserts that this process has loaded the library that LIBUV names, and no other libuv.
function assertLibrary() {
  const mapped = fs.readFileSync('/proc/self/maps', 'utf8').split('\n')
    .map((line) => line.slice(line.indexOf('/'))).filter((path) => /\/libuv\.so/.test(path));
  assert.deepStrictEqual([...new Set(mapped)], [process.env.LIBUV]);
}

// Runs an async function. If the loop exits before the function is done, the last line is missing.
function main(work) {
  assertLibrary();
  let done = false;
  work().then(() => { done = true; }, (error) => {
    console.error(error);
    process.exit(1);
  });
  // Printed at exit: an open handle keeps the process alive until the check times out.
  process.on('exit', (code) => { if (done && code === 0) console.log('all done'); });
}

module.exports = { assert, main, assertLibrary };
