// A main file without an extension, in a package of ES modules.
const { stdout, status } = require('child_process').spawnSync(process.execPath, [...process.execArgv, `${__dirname}/fixtures/module_main/main`], { encoding: 'utf8' });
console.log(status, stdout);
