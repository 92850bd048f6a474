/* needs: mauve */
/* Threads open, use and close loops while another thread forks. A lock that such a thread holds is
 * never released in the child. The child must still be able to use its loop and a new one. With
 * libuv some children hang. */
#include <sys/wait.h>

#include "test.h"

#define THREADS 3
#define FORKS 200

static uv_loop_t loop;
static int stop;
static int ticks;

static void on_timer(uv_timer_t *timer) {
    ticks++;
    uv_close((uv_handle_t *)timer, NULL);
}

static void on_signal(uv_signal_t *signal, int number) {
    (void)number;
    uv_close((uv_handle_t *)signal, NULL);
}

static void on_async(uv_async_t *async) { uv_close((uv_handle_t *)async, NULL); }

static void on_work(uv_work_t *work) { (void)work; }

static void after_work(uv_work_t *work, int status) {
    (void)work;
    EXPECT(status, 0);
    ticks++;
}

static void open_and_close(void *argument) {
    (void)argument;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        uv_loop_t thread_loop;
        uv_async_t async;
        uv_signal_t signal;
        char title[100];
        EXPECT(uv_loop_init(&thread_loop), 0);
        EXPECT(uv_async_init(&thread_loop, &async, on_async), 0);
        EXPECT(uv_signal_init(&thread_loop, &signal), 0);
        EXPECT(uv_signal_start(&signal, on_signal, SIGWINCH), 0);
        uv_close((uv_handle_t *)&signal, NULL);
        uv_async_send(&async);
        EXPECT(uv_run(&thread_loop, UV_RUN_DEFAULT), 0);
        EXPECT(uv_loop_close(&thread_loop), 0);
        uv_set_process_title("forking");
        uv_get_process_title(title, sizeof title);
    }
}

/* Runs a timer, a signal and work on a loop. */
static void use_loop(uv_loop_t *used) {
    uv_timer_t timer;
    uv_signal_t signal;
    uv_work_t work;
    ticks = 0;
    uv_timer_init(used, &timer);
    uv_timer_start(&timer, on_timer, 0, 0);
    uv_signal_init(used, &signal);
    uv_signal_start(&signal, on_signal, SIGUSR1);
    raise(SIGUSR1);
    uv_queue_work(used, &work, on_work, after_work);
    EXPECT(uv_run(used, UV_RUN_DEFAULT), 0);
    EXPECT(ticks, 2);
}

static void in_child(void) {
    uv_loop_t new_loop;
    alarm(20);
    EXPECT(uv_loop_fork(&loop), 0);
    use_loop(&loop);
    EXPECT(uv_loop_init(&new_loop), 0);
    use_loop(&new_loop);
    EXPECT(uv_loop_close(&new_loop), 0);
    uv_set_process_title("forked");
    _exit(7);
}

int main(int argc, char **argv) {
    uv_thread_t threads[THREADS];
    uv_setup_args(argc, argv);
    for (int i = 0; i < THREADS; i++) uv_thread_create(&threads[i], open_and_close, NULL);
    uv_loop_init(&loop);
    for (int i = 0; i < FORKS; i++) {
        int status;
        pid_t pid = fork();
        if (pid == 0) in_child();
        EXPECT(waitpid(pid, &status, 0), pid);
        EXPECT(status, 7 << 8);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++) uv_thread_join(&threads[i]);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
