/* Timers, and async handles that two threads notify. */
#include "workload.h"

#include <stdatomic.h>

enum { SENDS = 20, SENDERS = 2 };

typedef struct {
    uv_thread_t thread;
    uv_async_t async;
    atomic_int sent;
    int seen, runs;
} sender;

static uv_loop_t loop;
static uv_timer_t timers[3];
static int ticks[3];
static sender senders[SENDERS];

static void on_timer(uv_timer_t *timer) {
    int which = timer - timers;
    if (++ticks[which] == which + 1) end_handle(timer);
}

static void on_async(uv_async_t *async) {
    sender *one = async->data;
    one->seen = atomic_load(&one->sent);
    if (one->seen == SENDS) end_handle(async);
}

static void send_some(void *argument) {
    sender *one = argument;
    for (int i = 0; i < SENDS; i++) {
        atomic_fetch_add(&one->sent, 1);
        int result = uv_async_send(&one->async);
        if (result != 0) record_error("async_send", result);
        if (i % 8 == 0) uv_sleep(1);
    }
}

int main(void) {
    set_injection(1);
    if (!init_loop(&loop)) return exit_code();
    for (int i = 0; i < 3; i++) {
        check("timer_init", uv_timer_init(&loop, &timers[i]));
        check("timer_start", uv_timer_start(&timers[i], on_timer, 2 * i, 3));
    }
    for (int i = 0; i < SENDERS; i++) {
        senders[i].async.data = &senders[i];
        if (check("async_init", uv_async_init(&loop, &senders[i].async, on_async)) != 0) continue;
        int result = uv_thread_create(&senders[i].thread, send_some, &senders[i]);
        senders[i].runs = check("thread_create", result) == 0;
        if (!senders[i].runs) end_handle(&senders[i].async);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    for (int i = 0; i < SENDERS; i++) {
        if (senders[i].runs) uv_thread_join(&senders[i].thread);
    }
    finish_loop(&loop);
    for (int i = 0; i < 3; i++) complete("a timer", ticks[i] == i + 1);
    for (int i = 0; i < SENDERS; i++) {
        complete("a wake-up", !senders[i].runs || senders[i].seen == SENDS);
    }
    return exit_code();
}
