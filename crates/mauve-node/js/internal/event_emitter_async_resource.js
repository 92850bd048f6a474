// EventEmitterAsyncResource: its listeners run in the asynchronous context in which it was created.

const { AsyncResource } = require('async_hooks');
const Emitter = require('events');
const { codes } = require('internal/errors');

// The async resource of an emitter.
class EmitterResource extends AsyncResource {
  #owner;

  constructor(owner, name, options) {
    super(name, options);
    this.#owner = owner;
  }

  get eventEmitter() {
    return this.#owner;
  }
}
Object.defineProperty(EmitterResource, 'name', { value: 'EventEmitterReferencingAsyncResource' });

// For a subclass the name is optional; the default is the name of the class.
function nameFrom(options, Class) {
  if (typeof options === 'string') return options;
  const name = options?.name;
  if (Class === EventEmitterAsyncResource && typeof name !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.name', 'string', name);
  }
  return name || Class.name;
}

class EventEmitterAsyncResource extends Emitter {
  #resource;

  constructor(options) {
    const name = nameFrom(options, new.target);
    const rest = typeof options === 'string' ? undefined : options;
    super(rest);
    this.#resource = new EmitterResource(this, name, rest);
  }

  emit(type, ...args) {
    return this.#resource.runInAsyncScope(super.emit, this, type, ...args);
  }

  emitDestroy() {
    this.#resource.emitDestroy();
  }

  get asyncId() {
    return this.#resource.asyncId();
  }

  get triggerAsyncId() {
    return this.#resource.triggerAsyncId();
  }

  get asyncResource() {
    return this.#resource;
  }
}

module.exports = { EventEmitterAsyncResource };
