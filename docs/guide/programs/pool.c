/* Four jobs run at the same time. The fifth waits, and can be cancelled. */
/* env: UV_THREADPOOL_SIZE=4 */
#include <stdio.h>
#include <uv.h>

enum { JOBS = 5 };

static uv_work_t jobs[JOBS];
static uv_sem_t started, release;
static uv_thread_t loop_thread;
static int elsewhere, done;

static void work(uv_work_t* req) {
  uv_thread_t self = uv_thread_self();
  uv_req_set_data((uv_req_t*)req, uv_thread_equal(&self, &loop_thread) ? NULL : req);
  uv_sem_post(&started);
  uv_sem_wait(&release);
}

static void after_work(uv_work_t* req, int status) {
  uv_thread_t self = uv_thread_self();
  if (status == UV_ECANCELED) {
    printf("job %d was cancelled before it started\n", (int)(req - jobs) + 1);
    for (int i = 0; i < 4; i++) uv_sem_post(&release);
    return;
  }
  elsewhere += uv_req_get_data((uv_req_t*)req) != NULL;
  done += uv_thread_equal(&self, &loop_thread) != 0;
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();

  loop_thread = uv_thread_self();
  uv_sem_init(&started, 0);
  uv_sem_init(&release, 0);
  for (int i = 0; i < JOBS; i++) uv_queue_work(loop, &jobs[i], work, after_work);
  for (int i = 0; i < 4; i++) uv_sem_wait(&started);
  printf("four jobs run, all threads are busy\n");
  printf("cancel job 1: %s\n", uv_err_name(uv_cancel((uv_req_t*)&jobs[0])));
  printf("cancel job 5: %d\n", uv_cancel((uv_req_t*)&jobs[4]));
  uv_run(loop, UV_RUN_DEFAULT);
  printf("%d jobs ran on other threads, %d callbacks on the loop's thread\n", elsewhere, done);
  return uv_loop_close(loop);
}
