// Waits for hours in each way that a clock has: timers, a job and a thread that sleep, a sleep of the loop's
// thread. Then waits in a loop for time to pass, and for a child, which takes time.
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

static uint64_t begin;

static long long passed(void) { return (long long) ((uv_hrtime() - begin) / 1000000000); }

static void sleep_two_hours(uv_work_t* work) {
    (void) work;
    sleep(7200);
}

static void after_work(uv_work_t* work, int status) {
    (void) work;
    printf("job %d at %lld\n", status, passed());
}

static void on_timer(uv_timer_t* timer) {
    (void) timer;
    printf("timer at %lld\n", passed());
}

static void sleep_an_hour(void* unused) {
    struct timespec time = {3600, 0};
    (void) unused;
    printf("slept %d\n", nanosleep(&time, NULL));
    printf("thread at %lld\n", passed());
}

static void on_exit_(uv_process_t* process, int64_t status, int signal) {
    (void) status;
    (void) signal;
    uv_close((uv_handle_t*) process, NULL);
}

int main(void) {
    uv_loop_t* loop = uv_default_loop();
    uv_timer_t timer;
    uv_work_t work;
    uv_thread_t thread;
    uv_process_t process;
    struct timeval before, after;
    time_t seconds;
    uint64_t now;
    char* arguments[] = {"sleep", "0.2", NULL};
    uv_process_options_t options = {.file = "sleep", .args = arguments, .exit_cb = on_exit_};
    setbuf(stdout, NULL);
    uv_timer_init(loop, &timer);
    uv_update_time(loop);
    begin = uv_hrtime();
    seconds = time(NULL);
    gettimeofday(&before, NULL);
    uv_timer_start(&timer, on_timer, 60000, 0);
    uv_queue_work(loop, &work, sleep_two_hours, after_work);
    uv_thread_create(&thread, sleep_an_hour, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    uv_sleep(3600 * 1000);
    gettimeofday(&after, NULL);
    printf("the clocks are at %lld, %ld and %ld\n", passed(), (long) (time(NULL) - seconds),
           (long) (after.tv_sec - before.tv_sec));
    for (now = uv_hrtime(); uv_hrtime() - now < 50000000;) {
    }
    printf("waited in a loop\n");
    now = uv_hrtime();
    if (uv_spawn(loop, &process, &options) != 0) return 1;
    uv_run(loop, UV_RUN_DEFAULT);
    printf("the child took time: %d\n", uv_hrtime() - now > 100000000);
    return 0;
}
