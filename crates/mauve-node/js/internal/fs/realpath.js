// fs.realpath() in the form without realpath(3). It examines one component at a time, so an error names the
// component that cannot be examined, and a link to a pipe or a socket, which leads to no file, has a result.
const { ops } = require('internal/fs/operations');
const { toPath } = require('internal/fs/utils');
const { dirname, resolve } = require('path');

// Everything but a URL is converted to text.
const realpath = (path) => walk(resolve(toPath(path?.href ? path : String(path))));

// Yields calls, for runStepsSync and runStepsInTicks.
function* walk(path) {
  let end = 0;
  let last;
  const noLinks = new Set();
  while (path !== '/' && end < path.length) {
    end = path.indexOf('/', end + 1);
    if (end === -1) end = path.length;
    const part = path.slice(0, end);
    if (noLinks.has(part)) {
      if (last.isFIFO() || last.isSocket()) break;
      continue;
    }
    last = yield ops.lstat(part);
    if (!last.isSymbolicLink()) {
      noLinks.add(part);
      continue;
    }
    last = yield ops.stat(part);
    path = resolve(dirname(part), yield ops.readlink(part), `.${path.slice(end)}`);
    end = 0;
  }
  return path;
}

module.exports = { realpath };
