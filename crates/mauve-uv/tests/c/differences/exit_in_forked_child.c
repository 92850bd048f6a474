/* needs: mauve */
/* A forked child exits with exit() while the pool of its parent was busy: its destructors do not wait for
 * threads that it does not have. libuv's child hangs. */
#include "test.h"

#include <sys/wait.h>

static uv_sem_t started, done;

static void work(uv_work_t *w) {
    (void)w;
    uv_sem_post(&started);
    uv_sem_wait(&done);
}

static void after(uv_work_t *w, int status) {
    (void)w;
    EXPECT(status, 0);
}

int main(void) {
    uv_work_t request;
    int status;
    uv_sem_init(&started, 0);
    uv_sem_init(&done, 0);
    uv_queue_work(uv_default_loop(), &request, work, after);
    uv_sem_wait(&started);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        exit(7);
    }
    EXPECT(waitpid(child, &status, 0), child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7, 1);
    uv_sem_post(&done);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    return 0;
}
