// execSync with a timeout does not wait for grandchildren that keep the pipes open.
const { execSync, spawnSync } = require('child_process');
const start = Date.now();
try {
  execSync('sleep 8 & sleep 7; echo done', { timeout: 200, stdio: 'pipe' });
} catch (error) {
  console.log(error.code, error.signal, error.status, error.errno, error.message);
}
const result = spawnSync('sh', ['-c', 'echo early; sleep 8 & wait'], { timeout: 300, encoding: 'utf8' });
console.log(result.status, result.signal, result.error.code, JSON.stringify(result.stdout));
const full = spawnSync('sh', ['-c', 'sleep 8 & while :; do echo 0123456789; done'], { maxBuffer: 1000, encoding: 'utf8' });
console.log(full.status, full.signal, full.error.code, full.stdout.length >= 1000);
console.log(Date.now() - start < 6000);
