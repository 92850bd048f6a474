// require() of ES modules that wait, and of those that have failed.
'use strict';
const attempt = (name) => {
  try {
    console.log(name, require(name));
  } catch (err) {
    console.log(name, err.code, err.message.split('\n')[0]);
  }
};

const DIRECTORY = './fixtures/await';
attempt(`${DIRECTORY}/waits.mjs`);
attempt(`${DIRECTORY}/imports_waits.mjs`);
(async () => {
  for (const name of ['fails', 'imports_fails', 'waits', 'imports_waits']) {
    const file = `${DIRECTORY}/${name}.mjs`;
    await import(file).then(() => console.log('imported', name), (err) => console.log('import', name, err.message));
    attempt(file);
  }
})();
