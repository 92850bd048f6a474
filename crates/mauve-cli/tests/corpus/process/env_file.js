// process.loadEnvFile() and URL.parse().
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'corpus-'));
const file = path.join(folder, '.env');
fs.writeFileSync(file, 'FROM_FILE="a value" # comment\nHOME=changed\n');
process.env.HOME = 'kept';
console.log(process.loadEnvFile(file), process.env.FROM_FILE, process.env.HOME);
process.chdir(folder);
fs.writeFileSync('.env', 'SECOND=2');
process.loadEnvFile();
console.log(process.env.SECOND);
try {
  process.loadEnvFile(path.join(folder, 'missing'));
} catch (error) {
  console.log(error.code);
}
process.chdir('/');
fs.rmSync(folder, { recursive: true });
console.log(URL.parse('x', 'http://host/a/b')?.href, URL.parse('x'));
