// Event loop utilization, and histograms.
const { performance, createHistogram, monitorEventLoopDelay } = require('perf_hooks');
console.log(performance.eventLoopUtilization());
const histogram = createHistogram();
console.log(histogram);
for (let i = 1; i <= 100; i++) histogram.record(i);
console.log(histogram, histogram.percentile(50), histogram.percentile(99), histogram.toJSON());
for (const bad of [0, -1, 1.5, 'x', undefined]) try { histogram.record(bad); } catch (error) { console.log(error.code, error.message); }
for (const bad of [0, 101, 'x', NaN]) try { histogram.percentile(bad); } catch (error) { console.log(error.code, error.message); }
histogram.reset();
console.log(histogram.count, histogram.max);
const delay = monitorEventLoopDelay({ resolution: 5 });
console.log(delay.enable(), delay.enable(), delay.count);
setTimeout(() => {
  const waited = performance.eventLoopUtilization();
  console.log(waited.idle > 30, waited.utilization < 0.9, delay.count > 2, delay.min > 1e6, delay.mean >= delay.min, delay.max >= delay.mean, delay.disable(), delay.disable());
  const until = Date.now() + 50;
  while (Date.now() < until);
  const worked = performance.eventLoopUtilization(waited);
  console.log(worked.active >= 45, worked.idle < 5, worked.utilization > 0.8, performance.eventLoopUtilization(performance.eventLoopUtilization(), waited).active >= 45);
}, 60);
