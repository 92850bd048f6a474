// The constructors of streams are plain functions, since programs call them on objects of their own.
// This is how one of them takes after another, and how all of them come to life.

const { lifeMethods } = require('internal/streams/life');

function takesAfter(Child, Parent) {
  Object.setPrototypeOf(Child, Parent);
  Object.setPrototypeOf(Child.prototype, Parent.prototype);
}

// Several methods at once; what is written as a method here is enumerable there, as programs expect.
function addMethods(Class, methods) {
  Object.assign(Class.prototype, methods);
}

// What every stream can do about its own end.
function addLife(Class) {
  addMethods(Class, lifeMethods);
}

// For reserve: the slots of the events that nearly every stream of a class has.
function slots(...events) {
  return Object.fromEntries(events.map((event) => [event, undefined]));
}

// Made before anything is listened to, so that the table keeps its shape.
function reserve(stream, template) {
  stream._events ??= { ...template };
}

// The last step of a constructor: _construct is run, and a signal given as an option is heeded.
function start(stream, options, whenReady) {
  (stream._readableState ?? stream._writableState).life.begin(stream, whenReady);
  if (options?.signal) require('internal/streams/add_abort_signal').addAbortSignal(options.signal, stream);
}

module.exports = { addLife, addMethods, reserve, slots, start, takesAfter };
