/* needs: 1.52 */
/* Thread names, priorities and CPU affinity. */
#include "test.h"

#include <sys/resource.h>

static uv_sem_t finish;

static void wait_in_thread(void *unused) {
    (void)unused;
    uv_sem_wait(&finish);
}

static void check_names(uv_thread_t *self) {
    char name[32];
    EXPECT(uv_thread_setname(NULL), UV_EINVAL);
    EXPECT(uv_thread_setname("seventeen letters"), 0);
    EXPECT(uv_thread_getname(self, NULL, 1), UV_EINVAL);
    EXPECT(uv_thread_getname(self, name, 0), UV_EINVAL);
    EXPECT(uv_thread_getname(self, name, sizeof name), 0);
    EXPECT(strcmp(name, "seventeen lette"), 0);
    EXPECT(uv_thread_getname(self, name, 6), 0);
    EXPECT(strcmp(name, "seven"), 0);
    EXPECT(uv_thread_getname(self, name, 1), 0);
    EXPECT(strcmp(name, ""), 0);
}

static void check_priorities(uv_thread_t self, uv_thread_t other) {
    int priority = 99;
    EXPECT(uv_thread_getpriority(self, NULL), UV_EINVAL);
    EXPECT(uv_thread_setpriority(self, -3), UV_EINVAL);
    EXPECT(uv_thread_setpriority(self, 3), UV_EINVAL);
    EXPECT(uv_thread_setpriority(other, -2), 0);
    EXPECT(uv_thread_getpriority(other, &priority), 0);
    EXPECT(priority, 0);
    /* Lowering the priority is permitted. Skipped if the program was started with a lower one. */
    if (getpriority(PRIO_PROCESS, 0) > 2) return;
    EXPECT(uv_thread_setpriority(self, -1), 0);
    EXPECT(uv_thread_getpriority(self, &priority), 0);
    EXPECT(priority, 2);
}

static void check_affinity(uv_thread_t *self) {
    char mask[2048], old[2048], single[2048] = {0};
    int cpu = uv_thread_getcpu();
    EXPECT(uv_cpumask_size(), 1024);
    EXPECT(cpu >= 0 && cpu < 1024, 1);
    EXPECT(uv_thread_getaffinity(self, mask, 1023), UV_EINVAL);
    EXPECT(uv_thread_setaffinity(self, mask, NULL, 1023), UV_EINVAL);
    memset(mask, 7, sizeof mask);
    EXPECT(uv_thread_getaffinity(self, mask, sizeof mask), 0);
    EXPECT(mask[cpu], 1);
    EXPECT(mask[1024], 7);
    EXPECT(uv_thread_setaffinity(self, single, NULL, 1024), UV_EINVAL);
    single[cpu] = 1;
    EXPECT(uv_thread_setaffinity(self, single, old, 1024), 0);
    EXPECT(memcmp(old, mask, 1024), 0);
    EXPECT(uv_thread_getcpu(), cpu);
    EXPECT(uv_available_parallelism(), 1);
    EXPECT(uv_thread_setaffinity(self, old, NULL, 1024), 0);
    EXPECT(uv_thread_getaffinity(self, mask, 1024), 0);
    EXPECT(memcmp(mask, old, 1024), 0);
}

int main(void) {
    uv_thread_t self = uv_thread_self(), other;
    EXPECT(uv_sem_init(&finish, 0), 0);
    EXPECT(uv_thread_create(&other, wait_in_thread, NULL), 0);
    check_names(&self);
    check_affinity(&self);
    check_priorities(self, other);
    EXPECT(uv_thread_detach(&other), 0);
    uv_sem_post(&finish);
    return 0;
}
