// Creates a handle for a file descriptor of the program.
const { codes, errnoException } = require('internal/errors');
const validate = require('internal/validators');
const { Pipe, TCP } = require('internal/net/handle');
const ENOTSUP = -95;

function open(fd) {
  validate.validateInt32(fd, 'fd', 0);
  try {
    const [id, isTcp] = binding('stream').open(fd);
    return isTcp ? new TCP(id) : new Pipe(id);
  } catch (errno) {
    if (typeof errno !== 'number') throw errno;
    if (errno === ENOTSUP) throw new codes.ERR_INVALID_FD_TYPE('FILE');
    throw errnoException(errno, 'open');
  }
}

module.exports = { open };
