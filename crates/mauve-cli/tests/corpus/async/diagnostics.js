// diagnostics_channel: subscribing, stores, tracing.
const dc = require('diagnostics_channel');
const { AsyncLocalStorage } = require('async_hooks');
const channel = dc.channel('one');
const seen = (message, name) => console.log('seen', message, name);
console.log(channel.hasSubscribers, dc.hasSubscribers('one'), dc.channel('one') === channel, channel.name);
channel.publish('no subscriber');
channel.subscribe(seen);
dc.subscribe('one', (message) => console.log('second', message));
channel.publish({ a: 1 });
console.log(channel.hasSubscribers, channel.unsubscribe(seen), channel.unsubscribe(seen));
channel.publish('again');
for (const bad of [5, null, undefined]) {
  try { dc.channel(bad); } catch (error) { console.log(error.code, error.message); }
  try { channel.subscribe(bad); } catch (error) { console.log(error.code, error.message); }
}
const store = new AsyncLocalStorage();
const stored = dc.channel('stored');
stored.bindStore(store, (data) => data * 2);
console.log(stored.runStores(21, (x) => [x, store.getStore()], undefined, 'arg'), store.getStore(), stored.unbindStore(store));
const tracing = dc.tracingChannel('work');
const handlers = {};
for (const event of ['start', 'end', 'asyncStart', 'asyncEnd', 'error']) handlers[event] = (context) => console.log(event, JSON.stringify({ ...context, error: context.error?.message }));
tracing.subscribe(handlers);
console.log(tracing.traceSync((x) => x + 1, { id: 1 }, null, 41));
try { tracing.traceSync(() => { throw new Error('sync'); }, { id: 2 }); } catch (error) { console.log(error.message); }
tracing.tracePromise(async (x) => x, { id: 3 }, null, 'value').then(console.log)
  .then(() => tracing.tracePromise(async () => { throw new Error('async'); }, { id: 4 })).catch((error) => console.log(error.message))
  .then(() => tracing.traceCallback((x, done) => setTimeout(done, 1, null, x), -1, { id: 5 }, null, 'cb', (error, value) => {
    console.log('callback', error, value);
    console.log(tracing.unsubscribe(handlers), tracing.start.hasSubscribers);
  }));
