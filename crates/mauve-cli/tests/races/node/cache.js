// Check, then act: a cache is expected to be filled before the second request asks for it.
const fs = require('fs');
let fills = 0;
let cache;
function get(done) {
  if (cache) return done(cache);
  fills++;
  fs.stat(__filename, (error, stats) => { cache = stats; done(cache); });
}
get(() => {});
setTimeout(function second() { get(() => { process.exitCode = fills === 1 ? 0 : 3; }); }, 40);
