// readdir with `recursive`: all names of a tree, nearest first.

const { on } = require('internal/fs/operations');
const a = require('internal/fs/arguments');
const { join, relative } = require('path');

// Yields operations; see internal/fs/remove for who runs them.
function* listTree(path, options) {
  path = a.toPath(path);
  const { withFileTypes, encoding } = a.toOptions(options);
  const root = String(path);
  const found = [];
  const waiting = [root];
  while (waiting.length) {
    const directory = waiting.shift();
    const entries = yield on.readdir(directory, { withFileTypes: true });
    for (const entry of entries) {
      const full = join(directory, entry.name);
      found.push(withFileTypes ? entry : a.fromName(relative(root, full), encoding));
      if (entry.isDirectory()) waiting.push(full);
    }
  }
  return found;
}

module.exports = { listTree };
