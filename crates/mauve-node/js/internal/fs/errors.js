// SystemError: the errors that rm and cp raise by themselves, without a failed system call.

const MESSAGES = {
  ERR_FS_EISDIR: 'Path is a directory',
  ERR_FS_CP_EINVAL: 'Invalid src or dest',
  ERR_FS_CP_EEXIST: 'Target already exists',
  ERR_FS_CP_DIR_TO_NON_DIR: 'Cannot overwrite non-directory with directory',
  ERR_FS_CP_NON_DIR_TO_DIR: 'Cannot overwrite directory with non-directory',
  ERR_FS_CP_UNKNOWN: 'Cannot copy an unknown file type',
};
const ERRNO = { EEXIST: 17, EINVAL: 22, EISDIR: 21, ENOTDIR: 20 };

class SystemError extends Error {
  constructor(name, info) {
    super(`${MESSAGES[name]}: ${info.syscall} returned ${info.code} (${info.message}) ${info.path}`);
    this.code = name;
    Object.defineProperty(this, 'name', { value: 'SystemError', configurable: true, writable: true, enumerable: false });
    this.info = info;
    for (const field of ['errno', 'syscall', 'path']) {
      Object.defineProperty(this, field, {
        configurable: true,
        enumerable: true,
        get: () => info[field],
        set(value) {
          info[field] = value;
        },
      });
    }
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}

// `name` is a key of MESSAGES, `code` the errno name that the error reports.
function systemError(name, syscall, message, path, code) {
  return new SystemError(name, { message, path, syscall, errno: ERRNO[code], code });
}

module.exports = { systemError };
