// How much of its time the loop works, and how much it waits.

const native = binding('perf');
const { uptimeStart } = binding('process');

// Since the loop began; since `first`, which this has returned before; or between the two.
function utilization(first, second, now) {
  const start = native.loopStart();
  if (start <= 0) return { idle: 0, active: 0, utilization: 0 };
  if (second) return share(first.idle - second.idle, first.active - second.active);
  const idle = native.idleTime();
  const active = now() - (start - uptimeStart()) - idle;
  if (!first) return share(idle, active);
  return share(idle - first.idle, active - first.active);
}

function share(idle, active) {
  return { idle, active, utilization: active / (idle + active) };
}

module.exports = { utilization };
