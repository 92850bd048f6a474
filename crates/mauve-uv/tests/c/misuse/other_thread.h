/* A thread calls `misuse` while another thread runs the loop. At that time the loop blocks in its
 * poll phase, or is in a callback if `in_a_callback` is set. */
#ifndef OTHER_THREAD_H
#define OTHER_THREAD_H

#include "test.h"

static uv_loop_t loop;
static uv_timer_t timer;
static uv_timer_t other;
static uv_sem_t running;
static int in_a_callback;

static void misuse(void);

static void on_timer(uv_timer_t *t) { (void)t; }

static void on_started(uv_timer_t *t) {
    (void)t;
    uv_sem_post(&running);
    if (in_a_callback) uv_sleep(500);
}

static void use_from_other_thread(void *argument) {
    (void)argument;
    uv_sem_wait(&running);
    uv_sleep(50);
    misuse();
}

static int run_and_misuse(void) {
    uv_loop_init(&loop);
    uv_sem_init(&running, 0);
    uv_timer_init(&loop, &other);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_started, 1, 0);
    uv_timer_start(&other, on_timer, 2000, 0);
    uv_thread_t thread;
    uv_thread_create(&thread, use_from_other_thread, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    return 0;
}

#endif
