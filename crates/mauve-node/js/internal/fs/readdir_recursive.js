// readdir with `recursive`: all names of a tree, breadth first.
const { ops } = require('internal/fs/operations');
const utils = require('internal/fs/utils');
const { join, relative } = require('path');

// Yields calls, for runSteps.
function* readdirRecursive(path, options) {
  path = utils.toPath(path);
  const { withFileTypes, encoding } = utils.toOptions(options);
  const root = String(path);
  const found = [];
  const pending = [root];
  while (pending.length) {
    const directory = pending.shift();
    const entries = yield ops.readdir(directory, { withFileTypes: true });
    for (const entry of entries) {
      const full = join(directory, entry.name);
      found.push(withFileTypes ? entry : utils.fromName(relative(root, full), encoding));
      if (entry.isDirectory()) pending.push(full);
    }
  }
  return found;
}

module.exports = { readdirRecursive };
