// performance.eventLoopUtilization().
const native = binding('perf');

function utilization(idle, active) {
  const total = idle + active;
  return { idle, active, utilization: total === 0 ? 0 : active / total };
}

// Starts to measure the idle time of the loop. The idle time before that is unknown, so the active time
// counts from here if the loop is already running.
function createEventLoopUtilization(now) {
  native.measureIdle();
  const measuredFrom = now();

  // With one earlier result returns the difference to now; with two, the difference between them.
  return function eventLoopUtilization(first, second) {
    if (native.loopStart() < 0) return utilization(0, 0);
    if (second !== undefined) return utilization(first.idle - second.idle, first.active - second.active);
    const idle = native.idle();
    const active = now() - Math.max(native.loopStart(), measuredFrom) - idle;
    return first === undefined ? utilization(idle, active) : utilization(idle - first.idle, active - first.active);
  };
}

module.exports = { createEventLoopUtilization };
