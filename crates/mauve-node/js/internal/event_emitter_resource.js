// An EventEmitter whose listeners run in the asynchronous context in which it
// was made.

const EventEmitter = require('events');
const { codes } = require('internal/errors');

class EventEmitterReferencingAsyncResource extends (require('async_hooks').AsyncResource) {
  #emitter;

  constructor(emitter, type, options) {
    super(type, options);
    this.#emitter = emitter;
  }

  get eventEmitter() {
    return this.#emitter;
  }
}

class EventEmitterAsyncResource extends EventEmitter {
  #resource;

  constructor(options = undefined) {
    let name;
    if (typeof options === 'string') {
      name = options;
      options = undefined;
    } else {
      if (new.target === EventEmitterAsyncResource && typeof options?.name !== 'string') {
        throw new codes.ERR_INVALID_ARG_TYPE('options.name', 'string', options?.name);
      }
      name = options?.name || new.target.name;
    }
    super(options);
    this.#resource = new EventEmitterReferencingAsyncResource(this, name, options);
  }

  emit(event, ...args) {
    return this.#resource.runInAsyncScope(super.emit, this, event, ...args);
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
