// HTTP parsers. The binding parses; this class calls the methods of its owner for each event:
//
// - onHead(flags, code, text, fields, version): the method index and the URL of a request, or the status
//   and the reason phrase of a response. Returns what follows: NORMAL (a body according to the headers),
//   NO_BODY or UPGRADED (another protocol).
// - onBody(buffer), then onComplete(trailers).
// - onUpgraded(buffer): the message has requested another protocol; the rest of the input.
// - onInvalid(error), after which further input is ignored.
// - onPartial(): no other event for this input, or the head of a message is incomplete.
// - onReadError(errno), if the parser consumes a handle.
//
// Fields are a string `name NUL value NUL name NUL value`, or undefined.
const { view } = require('internal/buffer/class');
const { codes } = require('internal/errors');
const { validateBoolean } = require('internal/validators');
const observers = require('internal/async_state');
const native = binding('http');
const { EXPECT, HOST, KEEP_ALIVE, NO_BODY: EMPTY, UPGRADE } = native.flags;
const NORMAL = 0;
const NO_BODY = 1;
const UPGRADED = 2;
const DEFAULT_MAX_HEADER_SIZE = Number(require('internal/options').get('--max-http-header-size') ?? 16 * 1024);

// The owner of a parser whose callbacks run in a record of internal/async_context. A store that one of them enters
// is not that of the next.
function ownerIn(record, owner) {
  const entries = ['onHead', 'onBody', 'onComplete', 'onUpgraded', 'onInvalid', 'onPartial', 'onReadError']
    .map((name) => [name, (...args) => observers.tracker.run({ ...record }, owner[name], owner, args)]);
  return Object.fromEntries(entries);
}

class Parser {
  constructor(owner, isRequest, maxHeaderSize, record, maxFields = 0) {
    // Undefined unless operations are tracked.
    this.record = record;
    if (record !== undefined) owner = ownerIn(record, owner);
    this.id = native.createParser(isRequest, maxHeaderSize || DEFAULT_MAX_HEADER_SIZE, maxFields);
    // The current message.
    this.incoming = null;
    // The input that arrives while other input is parsed.
    this.queue = null;
    this.onEvent = (event, a, b, c, d, e) => {
      switch (event) {
        case 0: {
          const kind = owner.onHead(a, b, c, d, e);
          if ((a & EMPTY) !== 0) owner.onComplete(undefined);
          return kind;
        }
        case 1:
          owner.onBody(view(a, 0, a.byteLength));
          break;
        case 2:
          owner.onComplete(a);
          break;
        case 3:
          owner.onUpgraded(view(a, 0, a.byteLength));
          break;
        case 4:
          owner.onInvalid(parseError(a, b, c, view(d, 0, d.byteLength)));
          break;
        case 5:
          owner.onPartial();
          break;
        default:
          owner.onReadError(event);
      }
      return NORMAL;
    };
  }

  isWithinMessage() { return native.isWithinMessage(this.id); }

  execute(buffer) {
    if (this.queue !== null) {
      this.queue.push(buffer);
      return;
    }
    const queue = this.queue = [buffer];
    try {
      for (let i = 0; i < queue.length; i++) native.execute(this.id, queue[i], this.onEvent);
    } finally {
      this.queue = null;
    }
  }

  // The connection has ended, which completes a message without a length. Others are invalid.
  finish() { native.finish(this.id, this.onEvent); }

  // Ignores further input.
  close() {
    observers.tracker?.destroy(this.record);
    native.close(this.id);
    this.incoming = null;
  }
}

function parseError(code, reason, bytesParsed, rawPacket) {
  const isEnd = code === 'HPE_INVALID_EOF_STATE';
  const error = new Error(isEnd ? 'Parse Error' : `Parse Error: ${reason}`);
  Object.assign(error, { bytesParsed, code, reason });
  if (!isEnd) error.rawPacket = rawPacket;
  return error;
}

// The parser is always strict.
function rejectInsecureOption(value) {
  if (value !== undefined) validateBoolean(value, 'options.insecureHTTPParser');
  if (value) throw new codes.ERR_MAUVE_NOT_IMPLEMENTED('the option insecureHTTPParser');
}

function splitFields(fields) { return fields === undefined ? [] : fields.split('\0'); }

module.exports = {
  DEFAULT_MAX_HEADER_SIZE, EMPTY, EXPECT, HOST, KEEP_ALIVE, NORMAL, NO_BODY, Parser, UPGRADE, UPGRADED,
  rejectInsecureOption, splitFields,
};
