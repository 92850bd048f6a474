// node:test: what the reporters print, without times and frames.
const { spawnSync } = require('child_process');
const path = require('path');

function normalized(text) {
  const lines = text
    .replace(/^ *stack: \|-\n(?: +(?! |\.\.\.$).*\n)*/gm, '')
    .replace(/\([\d.]+ms\)/g, '(ms)')
    .replace(/(duration_ms:?) [\d.]+/g, '$1 N')
    .replaceAll(__dirname, '')
    .split('\n');
  return lines.filter((line) => !/^\s+at |lines matching cause/.test(line)).join('\n');
}

for (const name of ['basics', 'hooks', 'only', 'options']) {
  for (const reporter of ['spec', 'tap']) {
    const args = [`--test-reporter=${reporter}`, path.join(__dirname, 'fixtures', `${name}.js`)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: __dirname });
    console.log(`--- ${name} ${reporter} ${status}\n${normalized(stdout)}${stderr}`);
  }
}
