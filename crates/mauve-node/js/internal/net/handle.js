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
    // The HTTP parser that consumes the bytes, see consume().
    this.parser = null;
  }

  get fd() {
    return streams.fd(this.id);
  }

  get bytesRead() {
    return streams.bytesRead(this.id);
  }

  get bytesWritten() {
    return streams.bytesWritten(this.id);
  }

  get writeQueueSize() {
    return streams.writeQueueSize(this.id);
  }

  // Calls onread(errno, arrayBuffer) for each read; errno is EOF at the end.
  readStart() {
    if (this.parser !== null) {
      http ??= binding('http');
      return http.readStart(this.id, this.parser.id, this.parser.onEvent);
    }
    this.readCallback ??= (errno, data) => this.onread(errno, data);
    return streams.readStart(this.id, this.readCallback);
  }

  readStop() {
    return streams.readStop(this.id);
  }

  // Passes the bytes to an HTTP parser instead of onread; null restores onread.
  consume(parser) {
    this.parser = parser;
    if (!this.reading) return;
    this.readStop();
    this.readStart();
  }

  // The three write methods return a negative errno, 0 if all bytes were written synchronously (the
  // callback is not called), or 1 if the callback will be called.
  writeBytes(bytes, callback) {
    return streams.write(this.id, bytes, callback);
  }

  writeText(text, latin1, callback) {
    return streams.writeText(this.id, text, latin1, callback);
  }

  // `chunks` is [chunk, encoding, chunk, encoding, ...].
  writeAll(chunks, callback) {
    return streams.writeAll(this.id, chunks, callback);
  }

  shutdown(callback) {
    return streams.shutdown(this.id, callback);
  }

  close(callback) {
    return streams.close(this.id, false, callback);
  }

  reset(callback) {
    return streams.close(this.id, true, callback);
  }

  ref() {
    streams.setRef(this.id, true);
  }

  unref() {
    streams.setRef(this.id, false);
  }

  hasRef() {
    return streams.hasRef(this.id);
  }

  setBlocking(on) {
    return streams.setBlocking(this.id, on);
  }
}

let tcp;
let pipe;

// A handle without a number is created. Only async_hooks needs to know which are for servers.
class TCP extends StreamHandle {
  constructor(id, isServer = false) {
    tcp ??= binding('tcp');
    super(id ?? tcp.create(isServer));
  }

  bind(address, port, onlyV6 = false) {
    return tcp.bind(this.id, address, port, onlyV6);
  }

  // Calls back with (errno, handle) for every connection.
  listen(backlog, onconnection) {
    // Programs may replace it.
    this.onconnection = onconnection;
    return tcp.listen(this.id, backlog, (errno, id) => {
      this.onconnection(errno, errno === 0 ? new TCP(id) : undefined);
    });
  }

  connect(address, port, callback) {
    return tcp.connect(this.id, address, port, callback);
  }

  // Returns { address, family, port } or an errno.
  getsockname() {
    return endpoint(tcp.localAddress, this.id);
  }

  getpeername() {
    return endpoint(tcp.peerAddress, this.id);
  }

  setNoDelay(on) {
    return tcp.setNoDelay(this.id, on);
  }

  setKeepAlive(on, seconds) {
    return tcp.setKeepAlive(this.id, on, seconds);
  }
}

class Pipe extends StreamHandle {
  constructor(id, isServer = false) {
    pipe ??= binding('pipe');
    super(id ?? pipe.create(isServer));
  }

  bind(path) {
    return pipe.bind(this.id, path);
  }

  listen(backlog, onconnection) {
    // Programs may replace it.
    this.onconnection = onconnection;
    return pipe.listen(this.id, backlog, (errno, id) => {
      this.onconnection(errno, errno === 0 ? new Pipe(id) : undefined);
    });
  }

  connect(path, callback) {
    return pipe.connect(this.id, path, callback);
  }
}

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
