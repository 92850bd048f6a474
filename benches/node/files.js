// Many calls of fs.readFile and fs.stat, on cached files.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { measure } = require('./lib');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mauve-bench-'));
const files = Array.from({ length: 64 }, (_, i) => path.join(folder, String(i)));
for (const file of files) fs.writeFileSync(file, Buffer.alloc(1024));

// Runs `count` operations, with `depth` in flight, on each file in turn.
async function repeat(count, depth, operation) {
  let next = 0;
  const worker = async () => {
    while (next < count) await operation(files[next++ % files.length]);
  };
  await Promise.all(Array.from({ length: depth }, worker));
}

const call = (f) => (file) =>
  new Promise((done, fail) => f(file, (error, result) => (error ? fail(error) : done(result))));

(async () => {
  await repeat(1000, 8, call(fs.readFile));
  await measure('node: fs.readFile, 32 at a time', 10000, () => repeat(10000, 32, call(fs.readFile)));
  await measure('node: fs.readFile, 1 at a time', 3000, () => repeat(3000, 1, call(fs.readFile)));
  await measure('node: fs.stat, 32 at a time', 20000, () => repeat(20000, 32, call(fs.stat)));
  fs.rmSync(folder, { recursive: true });
})();
