// performance: marks, measures and observers.
const { performance, PerformanceObserver, PerformanceEntry } = require('perf_hooks');
const attempt = (action) => { try { console.log(action()); } catch (error) { console.log(error.name, error.code, error.message); } };
console.log(typeof performance.now(), performance.now() >= 0, typeof performance.timeOrigin, Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 1000, globalThis.performance === performance);
console.log(performance.mark('a', { detail: { x: 1 }, startTime: 5 }));
console.log(performance.mark('b', { startTime: 9 }), performance.measure('ab', 'a', 'b'), performance.measure('timed', { start: 1, duration: 3, detail: 'd' }), performance.measure('ended', { end: 10, duration: 4 }));
console.log(performance.getEntries().map((entry) => entry.name), performance.getEntriesByName('a'), performance.getEntriesByType('measure').length, performance.getEntriesByName('ab')[0] instanceof PerformanceEntry, JSON.stringify(performance.getEntriesByName('ab')));
for (const action of [() => performance.mark(), () => performance.measure('q', 'nope'), () => performance.mark('x', { startTime: -1 }), () => performance.measure(), () => new PerformanceObserver(5), () => new PerformanceObserver(() => {}).observe({}), () => new PerformanceObserver(() => {}).observe({ entryTypes: ['mark'], type: 'mark' }), () => performance.measure('z', { start: 1, end: 2, duration: 3 }), () => performance.timerify(5), () => new PerformanceEntry()]) attempt(action);
performance.clearMarks('a');
console.log(performance.getEntriesByType('mark').map((entry) => entry.name));
performance.clearMarks();
performance.clearMeasures();
console.log(performance.getEntries());
const observer = new PerformanceObserver((list, self) => {
  console.log(list.getEntries().map((entry) => `${entry.entryType} ${entry.name}`), list.getEntriesByType('mark').length, self === observer);
  observer.disconnect();
  performance.mark('unseen');
});
observer.observe({ entryTypes: ['mark', 'measure'] });
performance.mark('c', { startTime: 1 });
performance.mark('d', { startTime: 2 });
performance.measure('cd', 'c', 'd');
const timed = performance.timerify(function work(x) { return x * 2; });
console.log(timed(21), timed.name, timed.length);
