// An incremental HTTP parser. The binding parses a head once it is complete; this class parses the body.
//
// onHead(head) is called for each head and returns what follows: NORMAL (a body according to the headers),
// NO_BODY or UPGRADED (another protocol). Then onBody(buffer) and onComplete() are called.

const { Buffer } = require('buffer');

const native = binding('http');
const { CHUNKED, EXPECT, HOST, KEEP_ALIVE, LENGTH, UPGRADE } = native.flags;

const NORMAL = 0;
const NO_BODY = 1;
const UPGRADED = 2;

const HEAD = 0;
const FIXED = 1;
const UNTIL_END = 2;
const CHUNK_SIZE = 3;
const CHUNK_DATA = 4;
const CHUNK_END = 5;
const TRAILERS = 6;
const OTHER_PROTOCOL = 7;
const BROKEN = 8;
// The last message of the connection is complete; further bytes are an error.
const CLOSED = 9;

const DEFAULT_MAX_HEADER_SIZE = 16 * 1024;

// The maximum length of a chunk header line.
const MAX_CHUNK_LINE = 16 * 1024;

class Parser {
  constructor(isRequest, maxHeaderSize) {
    this.parseHead = isRequest ? native.parseRequest : native.parseResponse;
    this.isRequest = isRequest;
    this.maxHeaderSize = maxHeaderSize || DEFAULT_MAX_HEADER_SIZE;
    this.state = HEAD;
    // The bytes of an incomplete element.
    this.rest = null;
    this.left = 0;
    this.isLast = false;
    // The current message, and its socket.
    this.incoming = null;
    this.socket = null;
    this.onHead = null;
    this.onBody = null;
    this.onComplete = null;
    this.trailers = null;
    // Called between the messages and chunks of one buffer, see SocketConsumer.
    this.drain = null;
  }

  // Returns the number of consumed bytes, or an error. After an upgrade the rest is not consumed.
  execute(buffer) {
    let base = 0;
    if (this.rest !== null) {
      base = this.rest.length;
      buffer = Buffer.concat([this.rest, buffer]);
      this.rest = null;
    }
    let at = 0;
    while (at < buffer.length) {
      const next = this.step(buffer, at);
      if (typeof next !== 'number') {
        if (next !== null) return this.fail(next, buffer, at);
        // Incomplete: parsed again with the next buffer.
        this.rest = at === 0 ? buffer : buffer.subarray(at);
        break;
      }
      at = next;
      if (this.state === OTHER_PROTOCOL) return at - base;
      if (this.state === HEAD && this.drain !== null && at < buffer.length) this.drain();
    }
    return buffer.length - base;
  }

  // Parses one element at `at`. Returns the position after it, null if it is incomplete, or [code, reason]
  // if it is invalid.
  step(buffer, at) {
    switch (this.state) {
      case HEAD:
        return this.head(buffer, at);
      case FIXED:
      case CHUNK_DATA: {
        const end = Math.min(at + this.left, buffer.length);
        this.left -= end - at;
        const part = at === 0 && end === buffer.length ? buffer : buffer.subarray(at, end);
        const isFixed = this.state === FIXED;
        if (this.left === 0 && !isFixed) this.state = CHUNK_END;
        this.onBody(part);
        if (this.drain !== null && (this.left === 0 || end < buffer.length)) this.drain();
        if (this.left === 0 && isFixed && this.state === FIXED) this.complete();
        return end;
      }
      case UNTIL_END:
        this.onBody(at === 0 ? buffer : buffer.subarray(at));
        return buffer.length;
      case CHUNK_SIZE:
        return this.chunkSize(buffer, at);
      case CHUNK_END:
        if (buffer[at] !== 13) return ['HPE_STRICT', 'Expected LF after chunk data'];
        if (at + 1 >= buffer.length) return null;
        if (buffer[at + 1] !== 10) return ['HPE_STRICT', 'Expected LF after chunk data'];
        this.state = CHUNK_SIZE;
        return at + 2;
      case TRAILERS:
        return this.trailer(buffer, at);
      default:
        if (buffer[at] === 13 || buffer[at] === 10) return at + 1;
        return ['HPE_CLOSED_CONNECTION', 'Data after `Connection: close`'];
    }
  }

  head(buffer, at) {
    // Skips empty lines before a message.
    while (at < buffer.length && (buffer[at] === 13 || buffer[at] === 10)) at++;
    if (at === buffer.length) return at;
    const head = this.parseHead(buffer, at);
    const size = head === undefined ? buffer.length - at : head[0];
    if (size > this.maxHeaderSize) return ['HPE_HEADER_OVERFLOW', 'Header overflow'];
    if (head === undefined) return null;
    if (head.length === 2) return head;
    this.begin(head);
    return at + head[0];
  }

  // Chooses the state after a head from its flags and the result of onHead.
  begin(head) {
    const flags = head[1];
    this.isLast = (flags & KEEP_ALIVE) === 0 && (this.isRequest || head[4] >= 200);
    const bodyType = this.onHead(head);
    if (this.state !== HEAD) return;
    if (bodyType === UPGRADED) {
      this.state = OTHER_PROTOCOL;
      if (this.incoming) this.incoming.complete = true;
    } else if (bodyType === NO_BODY) {
      this.complete();
    } else if (flags & CHUNKED) {
      this.state = CHUNK_SIZE;
    } else if (flags & LENGTH) {
      this.left = head[2];
      if (this.left === 0) this.complete();
      else this.state = FIXED;
    } else if (this.isRequest || hasNoBody(head[4])) {
      this.complete();
    } else {
      this.state = UNTIL_END;
    }
  }

  chunkSize(buffer, at) {
    const end = buffer.indexOf(10, at);
    if (end < 0) {
      if (buffer.length - at > MAX_CHUNK_LINE) {
        return ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'Chunk extensions overflow'];
      }
      // An invalid digit is an error even before the line is complete.
      const start = buffer.toString('latin1', at, Math.min(at + 20, buffer.length));
      return /^[0-9a-fA-F]*(?:[;\r \t].*)?$/s.test(start) ? null : INVALID_CHUNK;
    }
    const line = buffer.toString('latin1', at, end);
    const match = /^([0-9a-fA-F]{1,16})[ \t]*(?:;[^\r]*)?\r$/.exec(line);
    if (match === null) return INVALID_CHUNK;
    this.left = parseInt(match[1], 16);
    this.state = this.left === 0 ? TRAILERS : CHUNK_DATA;
    return end + 1;
  }

  trailer(buffer, at) {
    const trailers = native.parseTrailers(buffer, at);
    if (trailers === undefined) {
      return buffer.length - at > this.maxHeaderSize ?
        ['HPE_HEADER_OVERFLOW', 'Header overflow'] : null;
    }
    if (typeof trailers[0] === 'string') return trailers;
    this.trailers = trailers[1].length > 0 ? trailers[1] : null;
    this.complete();
    return at + trailers[0];
  }

  complete() {
    this.state = this.isLast ? CLOSED : HEAD;
    this.onComplete();
    this.trailers = null;
  }

  // The connection has ended. Returns an error if a message is incomplete.
  finish() {
    if (this.state === UNTIL_END) {
      this.complete();
      return undefined;
    }
    if ((this.state === HEAD && this.rest === null) || this.state >= OTHER_PROTOCOL) return undefined;
    const error = this.fail(['HPE_INVALID_EOF_STATE', 'Invalid EOF state'], undefined, 0);
    error.message = 'Parse Error';
    return error;
  }

  // Ignores further input.
  close() {
    this.state = BROKEN;
    this.rest = null;
    this.incoming = null;
  }

  fail([code, reason], buffer, bytesParsed) {
    this.state = BROKEN;
    const error = new Error(`Parse Error: ${reason}`);
    error.bytesParsed = bytesParsed;
    error.code = code;
    error.reason = reason;
    error.rawPacket = buffer;
    return error;
  }
}

const INVALID_CHUNK = ['HPE_INVALID_CHUNK_SIZE', 'Invalid character in chunk size'];

function hasNoBody(status) {
  return status < 200 || status === 204 || status === 304;
}

module.exports = {
  DEFAULT_MAX_HEADER_SIZE, EXPECT, HOST, KEEP_ALIVE, NORMAL, NO_BODY, Parser, UPGRADE, UPGRADED,
};
