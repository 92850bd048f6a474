// An EventEmitter whose listeners run in the asynchronous context in which it
// was made.

const { AsyncResource } = require('async_hooks');
const Emitter = require('events');
const { codes } = require('internal/errors');

// The context, which knows whose it is.
class EmitterContext extends AsyncResource {
  #owner;

  constructor(owner, name, options) {
    super(name, options);
    this.#owner = owner;
  }

  get eventEmitter() {
    return this.#owner;
  }
}
Object.defineProperty(EmitterContext, 'name', { value: 'EventEmitterReferencingAsyncResource' });

// A subclass may do without a name: it has one already.
function nameFrom(options, Class) {
  if (typeof options === 'string') return options;
  const given = options?.name;
  if (Class === EventEmitterAsyncResource && typeof given !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.name', 'string', given);
  }
  return given || Class.name;
}

class EventEmitterAsyncResource extends Emitter {
  #context;

  constructor(options) {
    const name = nameFrom(options, new.target);
    const rest = typeof options === 'string' ? undefined : options;
    super(rest);
    this.#context = new EmitterContext(this, name, rest);
  }

  emit(type, ...args) {
    return this.#context.runInAsyncScope(super.emit, this, type, ...args);
  }

  emitDestroy() {
    this.#context.emitDestroy();
  }

  get asyncId() {
    return this.#context.asyncId();
  }

  get triggerAsyncId() {
    return this.#context.triggerAsyncId();
  }

  get asyncResource() {
    return this.#context;
  }
}

module.exports = { EventEmitterAsyncResource };
