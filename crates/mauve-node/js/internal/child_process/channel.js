// The IPC channel between a parent and a child: lines of JSON over a pipe.
const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');

// (message[, handle][, options][, callback]), without the message.
function sendArguments(handle, options, callback) {
  if (typeof handle === 'function') return { callback: handle };
  if (typeof options === 'function') return { handle, callback: options };
  if (options !== undefined) validateObject(options, 'options');
  return { handle, callback };
}

function refuseHandle(handle) {
  const { Server, Socket } = require('net');
  const isHandle = [Server, Socket, require('dgram').Socket].some((type) => handle instanceof type);
  throw isHandle ? new codes.ERR_MAUVE_NOT_IMPLEMENTED('handles over IPC') : new codes.ERR_INVALID_HANDLE_TYPE();
}

// Adds send, disconnect and 'message' to `target`, which is a ChildProcess or `process`.
function attach(target, pipe, isChild = false) {
  let text = '';
  target.connected = true;
  target.channel = { ref: () => pipe.ref(), unref: () => pipe.unref() };
  target._channel = target.channel;
  target._channelOpened?.();

  pipe.setEncoding('utf8');
  pipe.on('data', (chunk) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) receive(JSON.parse(line));
  });
  pipe.on('end', () => target.disconnect && target.connected && close());
  pipe.on('error', () => close());

  function receive(message) {
    if (message?.cmd === 'NODE_DISCONNECT') return;
    const isInternal = typeof message?.cmd === 'string' && message.cmd.startsWith('NODE_');
    process.nextTick(() => target.emit(isInternal ? 'internalMessage' : 'message', message, undefined));
  }
  let isClosed = false;
  // 'close' of the child does not follow if the program has closed the channel.
  function close(isRequested = false) {
    if (isClosed) return;
    isClosed = true;
    target.connected = false;
    target.channel = null;
    target._channel = null;
    pipe.destroy();
    process.nextTick(() => target.emit('disconnect'));
    if (!isRequested) target._channelClosed?.();
  }

  target.send = function send(message, handle, options, callback) {
    const args = sendArguments(handle, options, callback);
    if (args.handle != null) refuseHandle(args.handle);
    if (message === undefined) throw new codes.ERR_MISSING_ARGS('message');
    if (!['string', 'object', 'number', 'boolean'].includes(typeof message)) {
      throw new codes.ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], message);
    }
    if (!target.connected) {
      const err = new codes.ERR_IPC_CHANNEL_CLOSED();
      if (typeof args.callback === 'function') process.nextTick(args.callback, err);
      else process.nextTick(() => target.emit('error', err));
      return false;
    }
    return pipe.write(`${JSON.stringify(message)}\n`, (err) => {
      if (typeof args.callback === 'function') args.callback(err ?? null);
    });
  };
  target.disconnect = function disconnect() {
    if (!target.connected) {
      target.emit('error', new codes.ERR_IPC_DISCONNECTED());
      return;
    }
    target.connected = false;
    pipe.end(() => close(true));
  };

  if (!isChild) {
    pipe.resume();
    return;
  }
  // In a child the channel keeps the loop alive only while it has listeners.
  pipe.resume();
  pipe.unref();
  target.on('newListener', (name) => { if (name === 'message' || name === 'disconnect') pipe.ref(); });
  target.on('removeListener', () => { if (target.listenerCount('message') + target.listenerCount('disconnect') === 0) pipe.unref(); });
}

// Attaches the channel to the parent, whose descriptor is in the environment. The variables are deleted,
// because they do not apply to children of this process.
function attachToParent() {
  const fd = Number(process.env.NODE_CHANNEL_FD);
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  if (!Number.isInteger(fd) || fd < 0) return;
  const { Pipe, Socket } = require('internal/net/socket');
  const handle = new Pipe(binding('stdio_streams').openPipe(fd));
  // A standard descriptor was duplicated. The parent waits for the end of the original as well.
  if (fd <= 2) require('fs').closeSync(fd);
  attach(process, new Socket({ handle, manualStart: true, allowHalfOpen: true }), true);
}

module.exports = { attach, attachToParent };
