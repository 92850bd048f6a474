// A resource that is destroyed by a hook for 'destroy' is reported in the same pass, before other immediates.
const { AsyncResource, createHook } = require('async_hooks');
const names = new Map();
const chain = [];
createHook({
  init(id, type) {
    if (type.startsWith('R')) names.set(id, type);
  },
  destroy(id) {
    if (!names.has(id)) return;
    console.log('destroy', names.get(id));
    chain.shift()?.emitDestroy();
  },
}).enable();
for (let i = 0; i < 4; i++) chain.push(new AsyncResource(`R${i}`, { requireManualDestroy: true }));
chain.shift().emitDestroy();
setImmediate(() => console.log('immediate'));
