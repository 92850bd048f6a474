// Messages between a parent and a child: one line of JSON each, over a pipe.

const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');

// Gives `target` (a ChildProcess, or our own process) send, disconnect and 'message', over a stream.
function attach(target, pipe, isChild = false) {
  let text = '';
  target.connected = true;
  target.channel = {
    ref: () => pipe.ref(),
    unref: () => pipe.unref(),
  };
  if (target._alsoWaitFor) target._alsoWaitFor();

  pipe.setEncoding('utf8');
  pipe.on('data', (chunk) => {
    text += chunk;
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) receive(JSON.parse(line));
  });
  pipe.on('end', () => target.disconnect && target.connected && gone());
  pipe.on('error', () => gone());

  function receive(message) {
    if (message?.cmd === 'NODE_DISCONNECT') return;
    process.nextTick(() => target.emit('message', message, undefined));
  }
  let isGone = false;
  function gone() {
    if (isGone) return;
    isGone = true;
    target.connected = false;
    target.channel = null;
    pipe.destroy();
    process.nextTick(() => {
      target.emit('disconnect');
      if (target._oneClosed) target._oneClosed();
    });
  }

  target.send = function send(message, handle, options, callback) {
    if (typeof handle === 'function') {
      callback = handle;
      handle = undefined;
    } else if (typeof options === 'function') {
      callback = options;
      options = undefined;
    } else if (options !== undefined) {
      validateObject(options, 'options');
    }
    if (handle != null) throw new codes.ERR_INVALID_HANDLE_TYPE();
    if (message === undefined) throw new codes.ERR_MISSING_ARGS('message');
    if (!['string', 'object', 'number', 'boolean'].includes(typeof message)) {
      throw new codes.ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], message);
    }
    if (!target.connected) {
      const err = new codes.ERR_IPC_CHANNEL_CLOSED();
      if (typeof callback === 'function') process.nextTick(callback, err);
      else process.nextTick(() => target.emit('error', err));
      return false;
    }
    return pipe.write(`${JSON.stringify(message)}\n`, (err) => {
      if (typeof callback === 'function') process.nextTick(callback, err ?? null);
    });
  };
  target.disconnect = function disconnect() {
    if (!target.connected) {
      target.emit('error', new codes.ERR_IPC_DISCONNECTED());
      return;
    }
    target.connected = false;
    pipe.end(() => gone());
  };

  if (!isChild) {
    pipe.resume();
    target.once('exit', () => process.nextTick(() => target.connected && gone()));
    return;
  }
  // In a child the channel keeps the script alive only while it listens.
  pipe.resume();
  pipe.unref();
  target.on('newListener', (name) => {
    if (name === 'message' || name === 'disconnect') pipe.ref();
  });
  target.on('removeListener', () => {
    if (target.listenerCount('message') + target.listenerCount('disconnect') === 0) pipe.unref();
  });
}

// The child's end: the descriptor is told by the environment, which grandchildren shall not see.
function adopt() {
  const fd = Number(process.env.NODE_CHANNEL_FD);
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  if (!Number.isInteger(fd) || fd <= 2) return;
  const { PipeStream } = require('internal/pipe_stream');
  const key = binding('descriptors').openPipe(fd);
  attach(process, new PipeStream(key, { manualStart: true, allowHalfOpen: true, autoDestroy: false }), true);
}

module.exports = { adopt, attach };
