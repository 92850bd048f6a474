// env: TZ=America/New_York
// Numbers and dates as texts, in American English.
const numbers = [0, -0, 1, -1, 999, 1000, -1234567.891234, 1e21, 1.5e300, 0.0005, 0.00049, 1.0005, 2.5, 1e-7, NaN, Infinity, -Infinity, 123456789.999];
console.log(numbers.map((number) => number.toLocaleString()).join(' '));
console.log(numbers.map((number) => number.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })).join(' '));
console.log(numbers.map((number) => number.toLocaleString('en', { maximumFractionDigits: 0, useGrouping: false })).join(' '));
console.log([0.123, 1, 0.005, 12.3456, 0.285].map((number) => number.toLocaleString('en-US', { style: 'percent' })).join(' '));
console.log(123456789012345678901234567890n.toLocaleString(), new Intl.NumberFormat().format(-5n), Intl.NumberFormat('en-US').format('1234.5'));
console.log(JSON.stringify(new Intl.NumberFormat().resolvedOptions()));
for (const time of [0, 1e12, Date.UTC(2024, 1, 29, 17, 5, 9), Date.UTC(2024, 6, 1, 4), Date.UTC(1999, 11, 31, 23, 59, 59), NaN]) {
  const date = new Date(time);
  console.log([date.toLocaleString(), date.toLocaleDateString(), date.toLocaleTimeString(), date.toLocaleString('en-US', { timeZone: 'UTC' }),
    date.toLocaleTimeString('en-US', { hour12: false })].join(' | '));
}
console.log(new Intl.DateTimeFormat().format(new Date(0)), Intl.DateTimeFormat().resolvedOptions());
console.log([1234.5, new Date(0)].toLocaleString(), new Int32Array([1000, -2000]).toLocaleString());
for (const wrong of [() => (1).toLocaleString('en', { minimumFractionDigits: -1 }), () => new Intl.DateTimeFormat().format(NaN), () => (1).toLocaleString('en', { minimumFractionDigits: 5, maximumFractionDigits: 2 })]) {
  try { console.log(wrong()); } catch (error) { console.log(error.name, error.message); }
}
console.log(Object.getOwnPropertyNames(Intl).sort().join());
