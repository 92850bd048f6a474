/* needs: mauve */
/* UV_RUN_ONCE waits for its timer, also if a signal interrupts the wait. */
#include "test.h"

#include <signal.h>

static int fired;
static pthread_t loop_thread;
static void on_signal(int number) { (void)number; }
static void on_timer(uv_timer_t *t) { (void)t; fired++; }
static void interrupt(void *argument) {
    (void)argument;
    for (int i = 0; i < 20; i++) {
        uv_sleep(10);
        pthread_kill(loop_thread, SIGUSR1);
    }
}

int main(void) {
    uv_loop_t *loop = uv_default_loop();
    uv_timer_t timer;
    uv_thread_t thread;
    loop_thread = pthread_self();
    signal(SIGUSR1, on_signal);
    uv_timer_init(loop, &timer);
    uv_timer_start(&timer, on_timer, 300, 0);
    uv_thread_create(&thread, interrupt, NULL);
    uv_run(loop, UV_RUN_ONCE);
    EXPECT(fired, 1);
    uv_thread_join(&thread);
    return 0;
}
