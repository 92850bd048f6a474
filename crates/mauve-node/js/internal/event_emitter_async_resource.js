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

  get eventEmitter() { return this.#owner; }
}
Object.defineProperty(EmitterResource, 'name', { value: 'EventEmitterReferencingAsyncResource' });

// For a subclass the name is optional; the default is the name of the class.
function nameFrom(options, Class) {
  if (typeof options === 'string') return options;
  const name = options?.name;
  if (Class === EventEmitterAsyncResource && typeof name !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('options.name', 'string', name);
  return name || Class.name;
}

let check;

class EventEmitterAsyncResource extends Emitter {
  #resource;

  static {
    check = (emitter) => { if (!(#resource in emitter)) throw new codes.ERR_INVALID_THIS('EventEmitterAsyncResource'); };
  }

  constructor(options) {
    const name = nameFrom(options, new.target);
    const rest = typeof options === 'string' ? undefined : options;
    super(rest);
    this.#resource = new EmitterResource(this, name, rest);
  }

  emit(type, ...args) {
    check(this);
    return this.#resource.runInAsyncScope(super.emit, this, type, ...args);
  }

  emitDestroy() {
    check(this);
    this.#resource.emitDestroy();
  }

  get asyncId() {
    check(this);
    return this.#resource.asyncId();
  }

  get triggerAsyncId() {
    check(this);
    return this.#resource.triggerAsyncId();
  }

  get asyncResource() {
    check(this);
    return this.#resource;
  }
}

module.exports = { EventEmitterAsyncResource };
