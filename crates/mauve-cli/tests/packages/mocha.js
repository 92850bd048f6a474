// mocha: its command, with the reporter for terminals and that for programs.
const { spawnSync } = require('child_process');
const path = require('path');
for (const reporter of ['spec', 'tap']) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, require.resolve('mocha/bin/mocha.js'), '--reporter', reporter, path.join(__dirname, 'fixtures/mocha_cases.js')], { encoding: 'utf8' });
  console.log(status, stderr);
  console.log(stdout.replace(/\(?\d+ms\)?/g, 'TIME').replace(/^ +at .*\n/gm, ''));
}
