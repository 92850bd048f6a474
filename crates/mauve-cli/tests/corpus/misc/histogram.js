// Histograms of perf_hooks.
const { createHistogram, monitorEventLoopDelay } = require('perf_hooks');

const histogram = createHistogram();
console.log(histogram, histogram.minBigInt, histogram.maxBigInt, histogram.countBigInt);
for (let i = 1; i <= 5000; i += 7) histogram.record(i * 3);
histogram.record(123456789n);
console.log(histogram);
console.log(JSON.stringify(histogram));
console.log(histogram.percentile(50), histogram.percentileBigInt(99.5), histogram.percentilesBigInt.size);
const other = createHistogram({ lowest: 1, highest: 1000, figures: 2 });
for (const value of [1, 17, 999, 100000]) other.record(value);
console.log(other.count, other.exceeds, other.min, other.max, other.percentile(100));
histogram.add(other);
console.log(histogram.count, histogram.min);
histogram.reset();
console.log(histogram.count, histogram.mean, histogram.percentiles);
for (const attempt of [
  () => createHistogram(1), () => createHistogram({ lowest: 'x' }), () => createHistogram({ figures: 6 }),
  () => createHistogram({ lowest: 10, highest: 11 }), () => histogram.record(0), () => histogram.record('1'),
  () => histogram.percentile(0), () => histogram.add({}), () => new histogram.constructor(),
]) {
  try {
    attempt();
    console.log('no error');
  } catch (error) {
    console.log(error.code);
  }
}
const delay = monitorEventLoopDelay({ resolution: 1 });
console.log(delay.enable(), delay.enable());
setTimeout(() => {
  console.log(delay.count > 0, delay.min > 0, delay.max >= delay.min, delay.disable(), delay.disable());
}, 50);
