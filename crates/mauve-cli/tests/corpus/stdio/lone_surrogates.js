// Strings with lone surrogates leave the program as UTF-8 with replacement characters.
const { spawnSync } = require('child_process');
const dns = require('dns');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const lone = 'a\ud800b';
console.log(lone, `${lone}\udfff`);
console.error(lone);
process.stdout.write(`${lone}\n`);
process.stdout.write(`${lone}\n`, 'latin1');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lone-'));
fs.writeFileSync(path.join(folder, lone), lone);
const [name] = fs.readdirSync(folder);
console.log(name === 'a\ufffdb', fs.existsSync(path.join(folder, lone)), fs.readFileSync(path.join(folder, name)));
try {
  require(path.join(folder, lone, 'none.js'));
} catch (error) {
  console.log(error.code);
}
fs.rmSync(folder, { recursive: true });

const { stdout } = spawnSync('printf', ['%s|%s', lone, 'x'], { env: { ...process.env, LONE: lone } });
console.log(stdout);
console.log(spawnSync('printenv', ['LONE'], { env: { ...process.env, LONE: lone } }).stdout);

net.connect(path.join(folder, lone)).on('error', (error) => {
  console.log('connect', error.code);
  dns.lookup(lone, (failure) => console.log('lookup', failure?.code));
});
