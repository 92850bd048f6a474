// Helpers for the stream constructors. These are plain functions, not classes, because programs call
// them on their own objects (`Readable.call(this)`).
function inherit(Child, Parent) {
  Object.setPrototypeOf(Child, Parent);
  Object.setPrototypeOf(Child.prototype, Parent.prototype);
}

// Creates the table of listeners in advance, with the events that most streams of a class have listeners
// for, so that its object shape stays the same.
function presetEvents(stream, createTable) { stream._events ??= createTable(); }

// The last step of a constructor: schedules _construct, after which `onConstructed` is called with the
// stream, and registers the `signal` option.
function initStream(stream, options, onConstructed) {
  (stream._readableState ?? stream._writableState).lifecycle.construct(stream, onConstructed);
  if (options?.signal) require('internal/streams/add_abort_signal').addAbortSignal(options.signal, stream);
}

module.exports = { inherit, initStream, presetEvents };
