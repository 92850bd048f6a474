// How much of its time the loop works rather than waits.

const native = binding('perf');

const rate = (idle, active) => ({ idle, active, utilization: idle + active === 0 ? 0 : active / (idle + active) });

// Begins to measure. What the loop waited before that is not known, so time
// counts from here if it has been running already.
function measure(now) {
  native.measureIdle();
  const measured = now();

  // With one earlier result, what has passed since; with two, what lies between.
  return function eventLoopUtilization(first, second) {
    if (native.loopStart() < 0) return rate(0, 0);
    if (second !== undefined) return rate(first.idle - second.idle, first.active - second.active);
    const idle = native.idle();
    const active = now() - Math.max(native.loopStart(), measured) - idle;
    return first === undefined ? rate(idle, active) : rate(idle - first.idle, active - first.active);
  };
}

module.exports = { measure };
