// Check, then act: two updates of a file are expected not to overlap.
const fs = require('fs');
const os = require('os');
const path = require('path');
const file = path.join(os.tmpdir(), `lost-update-${process.pid}`);
fs.writeFileSync(file, '0');
function increment(done) {
  fs.readFile(file, 'utf8', (error, text) => {
    fs.writeFile(file, String(Number(text) + 1), done);
  });
}
let left = 2;
function finished() {
  if (--left > 0) return;
  process.exitCode = fs.readFileSync(file, 'utf8') === '2' ? 0 : 3;
  fs.unlinkSync(file);
}
increment(finished);
setTimeout(function later() { increment(finished); }, 40);
