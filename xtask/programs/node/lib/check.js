// The harness of all checks: asserts the library, runs the check, and prints that it is done.
'use strict';
const assert = require('assert');
const fs = require('fs');

// Asserts that this process has loaded the library that LIBUV names, and no other libuv.
function assertLibrary() {
  const mapped = fs.readFileSync('/proc/self/maps', 'utf8').split('\n')
    .map((line) => line.slice(line.indexOf('/'))).filter((path) => /\/libuv\.so/.test(path));
  assert.deepStrictEqual([...new Set(mapped)], [process.env.LIBUV]);
  // Where libuv is linked in, its functions lead to that library.
  if (process.env.MAUVE_LIB) assert(codeIsRewritten(), 'the linked-in libuv is in use');
}

// Whether pages of the program's code differ from its file: jumps are written to private copies of them.
function codeIsRewritten() {
  const mappings = fs.readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return mappings.some((mapping) => / r-xp /.test(mapping) && mapping.includes(process.execPath) &&
    /^Anonymous: +[1-9]/m.test(mapping));
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
