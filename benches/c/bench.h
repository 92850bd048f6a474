/* What the benchmark programs share: CPU time of this process, and one line per result. */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <uv.h>

#define CHECK(call)                                                    \
  do {                                                                 \
    int check_result = (call);                                         \
    if (check_result < 0) {                                            \
      fprintf(stderr, "%s: %s\n", #call, uv_strerror(check_result));   \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

/* Nanoseconds of CPU time, user and system, all threads. */
static inline double cpu_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 +
         (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3;
}

static inline void result(const char* name, double begin, double operations) {
  printf("%s\t%.2f\n", name, (cpu_time() - begin) / operations);
  fflush(stdout);
}

#endif
