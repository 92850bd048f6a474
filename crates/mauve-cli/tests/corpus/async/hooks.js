// async_hooks: the events of timers, immediates, ticks, files and promises, and the ids in callbacks.
const async_hooks = require('async_hooks');
const fs = require('fs');
const globals = [Promise, Promise.prototype.then, setTimeout, setImmediate, queueMicrotask, process.nextTick];
const log = [];
const names = new Map([[async_hooks.executionAsyncId(), 'main']]);
let number = 0;
const hook = async_hooks.createHook({
  init(id, type, trigger, resource) {
    names.set(id, `${type}${++number}`);
    log.push(`init ${names.get(id)} by ${names.get(trigger)} in ${names.get(async_hooks.executionAsyncId())} ${typeof resource}`);
  },
  before(id) { log.push(`before ${names.get(id)} ${async_hooks.executionAsyncId() === id}`); },
  after(id) { log.push(`after ${names.get(id)} ${async_hooks.executionAsyncId() === id}`); },
  destroy(id) { log.push(`destroy ${names.get(id)}`); },
  promiseResolve(id) { log.push(`resolve ${names.get(id)}`); },
});
const step = (label, start) => new Promise((resolve) => {
  setTimeout(() => {
    number = 0;
    log.length = 0;
    hook.enable();
    start(() => {
      setImmediate(() => {
        hook.disable();
        setTimeout(() => {
          console.log(label);
          // Promises are destroyed when they are collected; others were created before the hook was enabled.
          for (const line of log.filter((text) => !/^destroy (PROMISE|undefined)/.test(text))) console.log(`  ${line}`);
          resolve();
        }, 2);
      });
    });
  }, 1);
});
(async () => {
  await step('timeout', (done) => { setTimeout(done, 1); });
  await step('cleared', (done) => { clearTimeout(setTimeout(() => {}, 50)); clearImmediate(setImmediate(() => {})); done(); });
  await step('immediate', (done) => { setImmediate(() => setImmediate(done)); });
  await step('interval', (done) => { let n = 0; const timer = setInterval(() => { if (++n === 2) { clearInterval(timer); done(); } }, 1); });
  await step('tick', (done) => { process.nextTick(() => { log.push('tick'); done(); }); });
  await step('file', (done) => { fs.access(__filename, () => { log.push('file'); done(); }); });
  await step('then', (done) => { Promise.resolve(1).then(() => { log.push('then'); done(); }); });
  await step('chain', (done) => { new Promise((resolve) => resolve(1)).then((x) => { log.push('a'); return x; }).then(() => { log.push('b'); done(); }); });
  await step('resource', (done) => {
    const resource = new async_hooks.AsyncResource('OWN', { triggerAsyncId: async_hooks.executionAsyncId() });
    resource.runInAsyncScope(() => log.push(`scope ${async_hooks.executionAsyncResource() === resource}`));
    try { resource.runInAsyncScope(() => { throw new Error('thrown'); }); } catch (error) { log.push(error.message); }
    resource.emitDestroy();
    done();
  });
  const now = [Promise, Promise.prototype.then, setTimeout, setImmediate, queueMicrotask, process.nextTick];
  console.log('globals', now.every((value, i) => value === globals[i]), Promise.resolve().constructor === Promise, require('util').inspect(Promise.resolve(1)));
})();
