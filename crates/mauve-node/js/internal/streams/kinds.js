// What kind of thing is this? Told by its shape alone, so that the answer holds for our own streams, for
// emitters of the oldest sort, and for HTTP messages that only look like streams.

const has = (thing, method) => typeof thing[method] === 'function';
const flag = (thing, name) => typeof thing[name] === 'boolean';

// Something to pipe from. With a writing side at hand there must be a reading one that is switched on.
function reader(thing) {
  if (!thing || !has(thing, 'pipe') || !has(thing, 'on')) return false;
  if (!thing._writableState) return true;
  return Boolean(thing._readableState) && thing._readableState.readable !== false;
}

// A reader that can also be told to wait.
function pausableReader(thing) {
  return reader(thing) && has(thing, 'pause') && has(thing, 'resume');
}

// Something to write to, unless its writing side has been switched off.
function writer(thing) {
  if (!thing || !has(thing, 'write') || !has(thing, 'on')) return false;
  return !thing._readableState || thing._writableState?.writable !== false;
}

function duplex(thing) {
  return Boolean(thing?._readableState) && ['pipe', 'on', 'write'].every((method) => has(thing, method));
}

function stream(thing) {
  if (!thing) return false;
  if (thing._readableState || thing._writableState) return true;
  return has(thing, 'on') && (has(thing, 'write') || has(thing, 'pipe'));
}

function syncIterable(thing) {
  return thing != null && has(thing, Symbol.iterator);
}

function asyncIterable(thing) {
  return thing != null && has(thing, Symbol.asyncIterator);
}

function iterable(thing) {
  return asyncIterable(thing) || syncIterable(thing);
}

function thenable(thing) {
  return typeof thing?.then === 'function';
}

// The messages of http, known by flags that nothing else has.
function outgoingMessage(thing) {
  return ['_closed', '_defaultKeepAlive', '_removedConnection', '_removedContLen'].every((name) => flag(thing, name));
}

function serverResponse(thing) {
  return flag(thing, '_sent100') && outgoingMessage(thing);
}

function serverRequest(thing) {
  return flag(thing, '_consuming') && flag(thing, '_dumped') && thing.req?.upgradeOrConnect === undefined;
}

// Whatever sets headers and can be aborted is a request of a client.
function clientRequest(thing) {
  return Boolean(thing?.setHeader) && has(thing, 'abort');
}

module.exports = {
  asyncIterable,
  clientRequest,
  duplex,
  iterable,
  outgoingMessage,
  pausableReader,
  reader,
  serverRequest,
  serverResponse,
  stream,
  syncIterable,
  thenable,
  writer,
};
