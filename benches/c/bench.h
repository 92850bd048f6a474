/* Clocks and output of the benchmark programs.
 *
 * Each result is a line with tab-separated fields: the name of the workload, and per operation
 * nanoseconds of CPU time, nanoseconds of elapsed time, and system calls. System calls are
 * counted if BENCH_CALLS is set and the kernel permits it. Otherwise the field is "-". */
#ifndef BENCH_H
#define BENCH_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#define CHECK(call)                                                    \
  do {                                                                 \
    int check_result = (call);                                         \
    if (check_result < 0) {                                            \
      fprintf(stderr, "%s: %s\n", #call, uv_strerror(check_result));   \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

static inline double bench_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Nanoseconds of CPU time, user and system, all threads. */
static inline double cpu_time(void) {
  return bench_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* Opens a counter of this process's system calls, later threads included. -1 on failure. */
static inline int bench_counter(void) {
  const char* paths[] = {"/sys/kernel/tracing/events/raw_syscalls/sys_enter/id",
                         "/sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id"};
  struct perf_event_attr event = {.type = PERF_TYPE_TRACEPOINT, .size = sizeof(event)};
  event.inherit = 1;
  event.inherit_thread = 1; /* Not inherited by child processes. */
  if (getenv("BENCH_CALLS") == NULL)
    return -1;
  for (int i = 0; i < 2; i++) {
    unsigned long id;
    FILE* file = fopen(paths[i], "r");
    if (file == NULL)
      continue;
    int found = fscanf(file, "%lu", &id);
    fclose(file);
    event.config = id;
    if (found == 1)
      return syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
  }
  return -1;
}

static int bench_calls_fd = -2;

static inline double bench_calls(void) {
  uint64_t count;
  if (bench_calls_fd == -2)
    bench_calls_fd = bench_counter();
  if (bench_calls_fd < 0 || read(bench_calls_fd, &count, sizeof(count)) != sizeof(count))
    return -1;
  return count;
}

/* Prints a line with given costs. Negative values are unknown. */
static inline void report(const char* name, double cpu, double wall, double calls) {
  printf("%s\t%.3f", name, cpu);
  wall < 0 ? printf("\t-") : printf("\t%.3f", wall);
  calls < 0 ? printf("\t-\n") : printf("\t%.3f\n", calls);
  fflush(stdout);
}

static double bench_wall_begin, bench_calls_begin;

/* Pins the calling thread to a core, if BENCH_CORES is set. */
static inline void pin_to(int core) {
  cpu_set_t set;
  if (getenv("BENCH_CORES") == NULL)
    return;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  CHECK(-pthread_setaffinity_np(pthread_self(), sizeof(set), &set));
}

/* Anonymous memory of this process in bytes. File pages do not count. */
static inline double own_memory(void) {
  char line[128];
  unsigned long kib;
  FILE* file = fopen("/proc/self/smaps_rollup", "r");
  while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
    if (sscanf(line, "Anonymous: %lu", &kib) == 1) {
      fclose(file);
      return kib * 1024.0;
    }
  }
  perror("/proc/self/smaps_rollup");
  exit(1);
}

/* Starts measuring. */
static inline double begin_measuring(void) {
  bench_calls_begin = bench_calls();
  bench_wall_begin = bench_clock(CLOCK_MONOTONIC);
  return cpu_time();
}

/* Prints the cost of each operation since `begin_measuring`. */
static inline void result(const char* name, double begin, double operations) {
  double cpu = cpu_time() - begin;
  double wall = bench_clock(CLOCK_MONOTONIC) - bench_wall_begin;
  double calls = bench_calls_begin < 0 ? -1 : bench_calls() - bench_calls_begin;
  report(name, cpu / operations, wall / operations, calls < 0 ? -1 : calls / operations);
}

#endif
