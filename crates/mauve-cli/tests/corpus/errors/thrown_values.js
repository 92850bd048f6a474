// An uncaught value that is no error is reported with the place where it was thrown.
const { spawnSync } = require('child_process');
const programs = {
  null: () => { throw null; },
  undefined: () => {
    setTimeout(function later() {
      const value = undefined;
      throw value;
    });
  },
  object: () => { Promise.resolve().then(() => process.nextTick(() => { throw { a: 1 }; })); },
};
if (process.argv[2]) {
  programs[process.argv[2]]();
} else {
  for (const name of Object.keys(programs)) {
    const { status, stderr } = spawnSync(process.execPath, [__filename, name], { encoding: 'utf8' });
    // The rest is the version, and how to show where it was thrown.
    const lines = stderr.trim().split('\n');
    console.log(name, status, lines.slice(0, lines.findIndex((line) => line.includes('^')) + 2));
  }
}
