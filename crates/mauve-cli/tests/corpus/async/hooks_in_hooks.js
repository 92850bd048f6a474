// Hooks that enable and disable hooks, and the events at the end of a script.
const { AsyncResource, createHook } = require('async_hooks');
const fs = require('fs');

const log = (...args) => fs.writeSync(1, `${args.join(' ')}\n`);
const inner = createHook({ init: (id, type) => log('inner', type) });
let isNested = false;
const outer = createHook({
  init(id, type) {
    log('outer', type);
    // Both take effect after this event.
    inner.enable();
    if (isNested) return;
    isNested = true;
    new AsyncResource('nested', { requireManualDestroy: true });
  },
}).enable();
new AsyncResource('first', { requireManualDestroy: true });
new AsyncResource('second', { requireManualDestroy: true });
outer.disable();
inner.disable();

for (const triggerAsyncId of [null, -2, 1.5, undefined]) {
  try {
    log(new AsyncResource('x', { triggerAsyncId }).triggerAsyncId());
  } catch (error) {
    log(error.code);
  }
}

const types = new Map();
createHook({
  init: (id, type) => types.set(id, type),
  after: (id) => log('after', types.get(id) ?? 'an earlier operation'),
  destroy: (id) => log('destroy', types.get(id)),
}).enable();
process.nextTick(() => {});
queueMicrotask(() => {});
process.on('beforeExit', () => log('beforeExit'));
process.on('exit', () => log('exit'));
