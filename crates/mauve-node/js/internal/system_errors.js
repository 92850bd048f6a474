// Converts the negative errno values of the bindings to Node's errors. The comment of each function shows
// its message. The properties are set in Node's order, which util.inspect shows.
const { codes, setStackHeader } = require('internal/errors');
let errnoBinding;
const errnoName = (errno) => (errnoBinding ??= binding('errno')).name(errno);
const errnoText = (errno) => (errnoBinding ??= binding('errno')).message(errno);

function createError(message, properties, above, bare) {
  const error = new Error(message);
  if (Error.captureStackTrace) Error.captureStackTrace(error, above);
  for (const [key, value] of Object.entries(properties)) {
    if (value !== undefined) error[key] = value;
  }
  if (bare) {
    Object.defineProperty(error, 'stack', {
      value: `Error: ${message}`, writable: true, enumerable: false, configurable: true,
    });
  } else {
    setStackHeader(error, `Error: ${message}`);
  }
  return error;
}

// `ENOENT: no such file or directory, open 'x' -> 'y'`; with an address,
// `connect ECONNREFUSED 127.0.0.1:80`. `bare` leaves the frames out, as Node's
// asynchronous file operations do.
function uvException(context) {
  const { errno, syscall, path, dest, address, port, bare } = context;
  if (address !== undefined) return exceptionWithHostPort(errno, syscall, address, port);
  const code = errnoName(errno);
  let message = `${code}: ${context.message ?? errnoText(errno)}, ${syscall}`;
  if (path !== undefined) message += ` '${String(path)}'`;
  if (dest !== undefined) message += ` -> '${String(dest)}'`;
  return createError(message, {
    errno, code, syscall,
    path: path === undefined ? undefined : String(path),
    dest: dest === undefined ? undefined : String(dest),
  }, uvException, bare);
}

// `kill ESRCH`
function errnoException(errno, syscall, original) {
  const code = errnoName(errno);
  const message = original ? `${syscall} ${code} ${original}` : `${syscall} ${code}`;
  return createError(message, { errno, code, syscall }, errnoException);
}

function endpoint(address, port) { return port > 0 ? `${address}:${port}` : `${address}`; }

// `connect ECONNREFUSED 127.0.0.1:80 - Local (0.0.0.0:0)`
function exceptionWithHostPort(errno, syscall, address, port, additional) {
  const code = errnoName(errno);
  let details = '';
  if (port > 0) details = ` ${address}:${port}`;
  else if (address) details = ` ${address}`;
  if (additional) details += ` - Local (${additional})`;
  return createError(`${syscall} ${code}${details}`, { errno, code, syscall, address, port: port || undefined }, exceptionWithHostPort);
}

// `listen EADDRINUSE: address already in use 127.0.0.1:80`
function uvExceptionWithHostPort(errno, syscall, address, port) {
  const code = errnoName(errno);
  let message = `${syscall} ${code}: ${errnoText(errno)}`;
  if (address !== undefined && address !== null && address !== '') message += ` ${endpoint(address, port)}`;
  return createError(message, { code, errno, syscall, address, port: port || undefined }, uvExceptionWithHostPort);
}

// `getaddrinfo ENOTFOUND example.invalid`
function dnsException(code, syscall, hostname) {
  let errno;
  if (typeof code === 'number') {
    errno = code;
    const name = errnoName(code);
    code = name === 'EAI_NODATA' || name === 'EAI_NONAME' ? 'ENOTFOUND' : name;
  }
  const message = `${syscall} ${code}${hostname ? ` ${hostname}` : ''}`;
  return createError(message, { errno, code, syscall, hostname: hostname || undefined }, dnsException);
}

function connResetException(message) {
  const error = new Error(message);
  error.code = 'ECONNRESET';
  return error;
}

function genericNodeError(message, properties) { return Object.assign(new Error(message), properties); }

module.exports = {
  codes, connResetException, dnsException, errnoException, exceptionWithHostPort, genericNodeError, uvException,
  uvExceptionWithHostPort,
};
