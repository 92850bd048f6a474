// process.stdin, process.stdout and process.stderr, created on first access.
exports.install = function install() {
  for (const [name, fd] of [['stdin', 0], ['stdout', 1], ['stderr', 2]]) {
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get() {
        const stream = require('internal/stdio').open(fd);
        Object.defineProperty(process, name,
          { value: stream, configurable: true, enumerable: true, writable: true });
        return stream;
      },
    });
  }
};
