// Numbers, durations and times as text.

const UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

// Three significant digits: `1.23 ms`, `45.6 µs`, `789 ns`.
export function formatDuration(ns) {
  if (!(ns > 0)) return '0';
  // 999.6 µs is 1.00 ms: rounding must not give four digits.
  const [size, unit] = UNITS.find(([unitSize]) => ns >= unitSize * 0.9995) ?? UNITS[3];
  const value = ns / size;
  const digits = unit === 'ns' || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

// A time since the start of the trace, with as many digits as `step` needs.
export function formatTime(ns, step) {
  const [size, unit] = UNITS.find(([unitSize]) => Math.max(Math.abs(ns), step) >= unitSize) ?? UNITS[3];
  const digits = Math.min(9, Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9)));
  return `${(ns / size).toFixed(digits)} ${unit}`;
}

const grouped = new Intl.NumberFormat('en-US');

export function formatCount(count) {
  return grouped.format(count);
}

export function formatShare(share) {
  const percent = share * 100;
  return `${percent >= 99.95 || percent < 0.05 ? Math.round(percent) : percent.toFixed(1)} %`;
}

// The address of a handle, which may need more than the 53 bits of a number.
export function formatToken(high, low) {
  return `0x${((BigInt(high) << 32n) | BigInt(low)).toString(16)}`;
}

// `3 events`, `1 event`.
export function plural(count, noun) {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
