// Handles of native streams. The binding identifies a stream by a number. A handle adds its methods and
// whether it is reading.
const streams = binding('stream');
const { EOF } = streams;
let http;

class StreamHandle {
  constructor(id) {
    this.id = id;
    this.reading = false;
    this.onread = null;
    this.readCallback = null;
    // The socket, for `mauve why`.
    this.owner = null;
    // The HTTP parser that consumes the bytes, see consume().
    this.parser = null;
  }

  // Calls onread(errno, arrayBuffer) for each read; errno is EOF at the end.
  readStart() {
    if (this.parser !== null) {
      http ??= binding('http');
      return http.readStart(this.id, this.parser.id, this.parser.onEvent);
    }
    this.readCallback ??= (errno, data) => this.onread(errno, data);
    return streams.readStart(this.id, this.readCallback, this.owner);
  }

  // Passes the bytes to an HTTP parser instead of onread; null restores onread.
  consume(parser) {
    this.parser = parser;
    if (!this.reading) return;
    this.readStop();
    this.readStart();
  }

  close(callback) { return streams.close(this.id, false, callback); }
  reset(callback) { return streams.close(this.id, true, callback); }
  ref() { streams.setRef(this.id, true); }
  unref() { streams.setRef(this.id, false); }
}

// Methods that are functions of a binding. writeAll([chunk, encoding, chunk, encoding, ...], callback) returns a negative
// errno, 0 if all bytes were written synchronously (the callback is not called), or 1 if the callback will be called.
function addMethods(Class, load, names) {
  for (const name of names) Class.prototype[name] = function (a, b, c) { return load()[name](this.id, a, b, c); };
}

addMethods(StreamHandle, () => streams, ['hasRef', 'readStop', 'setBlocking', 'shutdown', 'writeAll']);
for (const name of ['fd', 'bytesRead', 'bytesWritten', 'writeQueueSize']) {
  Object.defineProperty(StreamHandle.prototype, name, { get() { return streams[name](this.id); } });
}

const tcp = () => binding('tcp');
const pipe = () => binding('pipe');

// Calls back with (errno, handle) for every connection. `mauve why` lists the listeners of the server.
function listen(handle, native, [backlog, onconnection, server]) {
  // Programs may replace it.
  handle.onconnection = onconnection;
  return native.listen(handle.id, backlog, (errno, id) => {
    handle.onconnection(errno, errno === 0 ? new handle.constructor(id) : undefined);
  }, server);
}

// A handle without a number is created. Only async_hooks needs to know which are for servers.
class TCP extends StreamHandle {
  constructor(id, isServer = false) { super(id ?? tcp().create(isServer)); }
  bind(address, port, onlyV6 = false) { return tcp().bind(this.id, address, port, onlyV6); }
  listen(...args) { return listen(this, tcp(), args); }

  // Return { address, family, port } or an errno.
  getsockname() { return endpoint(tcp().localAddress, this.id); }
  getpeername() { return endpoint(tcp().peerAddress, this.id); }
}
addMethods(TCP, tcp, ['connect', 'setKeepAlive', 'setNoDelay']);

class Pipe extends StreamHandle {
  constructor(id, isServer = false) { super(id ?? pipe().create(isServer)); }
  bind(path) { return pipe().bind(this.id, path); }
  listen(...args) { return listen(this, pipe(), args); }
}
addMethods(Pipe, pipe, ['connect']);

// Converts [address, 4 or 6, port] of the binding.
function endpoint(getAddress, id) {
  try {
    const [address, family, port] = getAddress(id);
    return { address, family: `IPv${family}`, port };
  } catch (errno) {
    if (typeof errno !== 'number') throw errno;
    return errno;
  }
}

module.exports = { EOF, Pipe, StreamHandle, TCP, endpoint };
