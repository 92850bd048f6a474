/*
 * Work on the thread pool, and a file operation, which runs there too.
 *
 *   make -C examples/c run-pool
 *
 * Look at the threads: the work runs on others than the loop, its callbacks all on the loop's thread.
 * With UV_THREADPOOL_SIZE=1 in the environment there is one other thread instead of up to four.
 */
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

enum { JOBS = 6 };

struct job {
    uv_work_t request;
    unsigned long long input, result;
    uv_thread_t thread;
};

static struct job jobs[JOBS];
static uv_thread_t loop_thread;

static void must(int status, const char *what) {
    if (status >= 0) return;
    fprintf(stderr, "%s: %s\n", what, uv_strerror(status));
    exit(1);
}

/* On a thread of the pool. It must not touch the loop. */
static void on_work(uv_work_t *request) {
    struct job *job = (struct job *)request;
    job->thread = uv_thread_self();
    job->result = 1;
    for (unsigned long long factor = 2; factor <= job->input; factor++) job->result *= factor;
}

static const char *whose(uv_thread_t thread) {
    return uv_thread_equal(&thread, &loop_thread) ? "the loop's thread" : "another thread";
}

static void after_work(uv_work_t *request, int status) {
    struct job *job = (struct job *)request;
    must(status, "work");
    printf("%llu! = %llu: computed on %s, reported on %s\n", job->input, job->result,
           whose(job->thread), whose(uv_thread_self()));
}

static void on_stat(uv_fs_t *request) {
    must((int)request->result, "stat");
    printf("the current directory has inode %llu: reported on %s\n",
           (unsigned long long)request->statbuf.st_ino, whose(uv_thread_self()));
    uv_fs_req_cleanup(request);
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_fs_t stat;
    loop_thread = uv_thread_self();
    for (int at = 0; at < JOBS; at++) {
        jobs[at].input = (unsigned long long)(10 + at);
        must(uv_queue_work(loop, &jobs[at].request, on_work, after_work), "uv_queue_work");
    }
    must(uv_fs_stat(loop, &stat, ".", on_stat), "uv_fs_stat");
    must(uv_run(loop, UV_RUN_DEFAULT), "uv_run");
    must(uv_loop_close(loop), "uv_loop_close");
    return 0;
}
