/* A workload turns injection on and off by `prctl(INJECTION_SWITCH, on)`. The tracer intercepts the
 * call; the number means nothing to the kernel. */
#define INJECTION_SWITCH 0x6d617576
