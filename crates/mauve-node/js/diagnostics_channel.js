// The module 'diagnostics_channel': named publish/subscribe channels.
const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');

// Channels are weakly referenced, except those with subscribers.
const channels = new Map();
const subscribedChannels = new Set();

function wrapStore(store, data, transform, inner) {
  return () => {
    let context = data;
    if (transform) {
      try {
        context = transform(data);
      } catch (error) {
        process.nextTick(() => { throw error; });
        return inner();
      }
    }
    return store.run(context, inner);
  };
}

class Channel {
  #subscribers = [];
  #stores = new Map();

  constructor(name) {
    this.name = name;
    channels.set(name, new WeakRef(this));
  }

  get hasSubscribers() { return this.#subscribers.length > 0 || this.#stores.size > 0; }

  #updateReference() {
    if (this.hasSubscribers) subscribedChannels.add(this);
    else subscribedChannels.delete(this);
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    this.#subscribers = [...this.#subscribers, subscription];
    this.#updateReference();
  }

  unsubscribe(subscription) {
    const index = this.#subscribers.indexOf(subscription);
    if (index === -1) return false;
    this.#subscribers = this.#subscribers.toSpliced(index, 1);
    this.#updateReference();
    return true;
  }

  bindStore(store, transform) {
    this.#stores.set(store, transform);
    this.#updateReference();
  }

  unbindStore(store) {
    const had = this.#stores.delete(store);
    this.#updateReference();
    return had;
  }

  publish(data) {
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(data, this.name);
      } catch (error) {
        // An exception in a subscriber must not reach the publisher.
        process.nextTick(() => { throw error; });
      }
    }
  }

  runStores(data, fn, receiver, ...args) {
    let run = () => {
      this.publish(data);
      return Reflect.apply(fn, receiver, args);
    };
    for (const [store, transform] of this.#stores) run = wrapStore(store, data, transform, run);
    return run();
  }
}

function channel(name) {
  const existing = channels.get(name)?.deref();
  if (existing !== undefined) return existing;
  if (typeof name !== 'string' && typeof name !== 'symbol') throw new codes.ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  return new Channel(name);
}

// For the other built-in modules.
require('internal/async_state').publish = (name, message) => channels.get(name)?.deref()?.publish(message);

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

// Calls a function between the events 'start' and 'end'. What it throws is published, too.
function runTraced(tracing, context, action) {
  return tracing.start.runStores(context, () => {
    try {
      return action();
    } catch (error) {
      context.error = error;
      tracing.error.publish(context);
      throw error;
    } finally {
      tracing.end.publish(context);
    }
  });
}

class TracingChannel {
  constructor(nameOrChannels) {
    for (const event of EVENTS) {
      let value;
      if (typeof nameOrChannels === 'string') {
        value = channel(`tracing:${nameOrChannels}:${event}`);
      } else if (nameOrChannels !== null && typeof nameOrChannels === 'object') {
        value = nameOrChannels[event];
        if (value == null) throw new TypeError('Cannot convert undefined or null to object');
        if (!(value instanceof Channel)) throw new codes.ERR_INVALID_ARG_TYPE(`nameOrChannels.${event}`, ['Channel'], value);
      } else {
        throw new codes.ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', 'TracingChannel'], nameOrChannels);
      }
      Object.defineProperty(this, event, { value, writable: false, enumerable: true });
    }
  }

  get hasSubscribers() { return EVENTS.some((event) => this[event].hasSubscribers); }
  subscribe(handlers) { for (const event of EVENTS) if (handlers[event]) this[event].subscribe(handlers[event]); }

  unsubscribe(handlers) {
    let done = true;
    for (const event of EVENTS) if (handlers[event] && !this[event].unsubscribe(handlers[event])) done = false;
    return done;
  }

  traceSync(fn, context = {}, receiver = undefined, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, receiver, args);
    return runTraced(this, context, () => {
      const result = Reflect.apply(fn, receiver, args);
      context.result = result;
      return result;
    });
  }

  tracePromise(fn, context = {}, receiver = undefined, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, receiver, args);
    const settle = (name, value) => {
      context[name] = value;
      if (name === 'error') this.error.publish(context);
      this.asyncStart.publish(context);
      this.asyncEnd.publish(context);
    };
    const fulfilled = (result) => {
      settle('result', result);
      return result;
    };
    const rejected = (error) => {
      settle('error', error);
      return Promise.reject(error);
    };
    return runTraced(this, context, () => {
      let promise = Reflect.apply(fn, receiver, args);
      if (!(promise instanceof Promise)) promise = Promise.resolve(promise);
      return promise.then(fulfilled, rejected);
    });
  }

  traceCallback(fn, position = -1, context = {}, receiver = undefined, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, receiver, args);
    const tracing = this;
    const callback = args.at(position);
    validateFunction(callback, 'callback');
    args.splice(position, 1, function (error, result, ...rest) {
      if (error) {
        context.error = error;
        tracing.error.publish(context);
      } else {
        context.result = result;
      }
      tracing.asyncStart.runStores(context, () => {
        try {
          return Reflect.apply(callback, this, [error, result, ...rest]);
        } finally {
          tracing.asyncEnd.publish(context);
        }
      });
    });
    return runTraced(this, context, () => Reflect.apply(fn, receiver, args));
  }
}

module.exports = {
  channel,
  hasSubscribers: (name) => Boolean(channels.get(name)?.deref()?.hasSubscribers),
  subscribe: (name, subscription) => channel(name).subscribe(subscription),
  tracingChannel: (nameOrChannels) => new TracingChannel(nameOrChannels),
  unsubscribe: (name, subscription) => channel(name).unsubscribe(subscription),
  Channel,
};
