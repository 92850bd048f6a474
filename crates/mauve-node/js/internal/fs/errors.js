// SystemError: the errors that rm and cp raise by themselves, without a failed system call.
const ERRNO = { EEXIST: 17, EINVAL: 22, EISDIR: 21, ENOTDIR: 20 };

class SystemError extends Error {
  constructor(name, info) {
    const [, message] = binding('errno').codedMessage(name);
    super(`${message}: ${info.syscall} returned ${info.code} (${info.message}) ${info.path}`);
    this.code = name;
    Object.defineProperty(this, 'name', { value: 'SystemError', configurable: true, writable: true, enumerable: false });
    this.info = info;
    for (const field of ['errno', 'syscall', 'path']) {
      Object.defineProperty(this, field, {
        configurable: true,
        enumerable: true,
        get: () => info[field],
        set(value) { info[field] = value; },
      });
    }
  }

  toString() { return `${this.name} [${this.code}]: ${this.message}`; }
}

// `name` is the code of the error, `code` the errno name that it reports.
function systemError(name, syscall, message, path, code) { return new SystemError(name, { message, path, syscall, errno: ERRNO[code], code }); }

module.exports = { systemError };
