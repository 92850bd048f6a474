// Type checks for streams, iterables and HTTP messages. They check properties and methods, not classes,
// because they also apply to old-style streams and to stream-like objects of users.
const hasMethod = (thing, method) => typeof thing[method] === 'function';
const hasFlag = (thing, name) => typeof thing[name] === 'boolean';

// A duplex stream counts unless its readable side is disabled.
function isReadableNodeStream(thing) {
  if (!thing || !hasMethod(thing, 'pipe') || !hasMethod(thing, 'on')) return false;
  if (!thing._writableState) return true;
  return Boolean(thing._readableState) && thing._readableState.readable !== false;
}

// A readable stream with pause() and resume().
function isPausableReadable(thing) { return isReadableNodeStream(thing) && hasMethod(thing, 'pause') && hasMethod(thing, 'resume'); }

// A duplex stream counts unless its writable side is disabled.
function isWritableNodeStream(thing) {
  if (!thing || !hasMethod(thing, 'write') || !hasMethod(thing, 'on')) return false;
  return !thing._readableState || thing._writableState?.writable !== false;
}

function isDuplexNodeStream(thing) { return Boolean(thing?._readableState) && ['pipe', 'on', 'write'].every((method) => hasMethod(thing, method)); }

function isNodeStream(thing) {
  if (!thing) return false;
  if (thing._readableState || thing._writableState) return true;
  return hasMethod(thing, 'on') && (hasMethod(thing, 'write') || hasMethod(thing, 'pipe'));
}

function isSyncIterable(thing) { return thing != null && hasMethod(thing, Symbol.iterator); }
function isAsyncIterable(thing) { return thing != null && hasMethod(thing, Symbol.asyncIterator); }
function isIterable(thing) { return isAsyncIterable(thing) || isSyncIterable(thing); }
function isThenable(thing) { return typeof thing?.then === 'function'; }

// HTTP messages are recognised by internal flags that no other stream has.
function isOutgoingMessage(thing) {
  const flags = ['_closed', '_defaultKeepAlive', '_removedConnection', '_removedContLen'];
  return flags.every((name) => hasFlag(thing, name));
}

function isServerResponse(thing) { return hasFlag(thing, '_sent100') && isOutgoingMessage(thing); }
function isServerRequest(thing) { return hasFlag(thing, '_consuming') && hasFlag(thing, '_dumped') && thing.req?.upgradeOrConnect === undefined; }

// Any object with setHeader and abort() counts as a client request.
function isClientRequest(thing) { return Boolean(thing?.setHeader) && hasMethod(thing, 'abort'); }

module.exports = {
  isAsyncIterable, isClientRequest, isDuplexNodeStream, isIterable, isNodeStream, isOutgoingMessage,
  isPausableReadable, isReadableNodeStream, isServerRequest, isServerResponse, isSyncIterable, isThenable,
  isWritableNodeStream,
};
