/* One closed handle of each type. Their memory is still valid. */
#ifndef CLOSED_HANDLES_H
#define CLOSED_HANDLES_H

#include "test.h"

static uv_loop_t loop;
static uv_timer_t timer;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_poll_t poller;
static uv_signal_t watch;
static uv_fs_event_t event;
static uv_fs_poll_t file;
static uv_udp_t udp;
static uv_tcp_t tcp;
static uv_pipe_t local;

static void init_and_close_all(void) {
    int ends[2];
    if (pipe(ends) != 0) exit(1);
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_idle_init(&loop, &idle);
    uv_prepare_init(&loop, &prepare);
    uv_check_init(&loop, &check);
    uv_poll_init(&loop, &poller, ends[0]);
    uv_signal_init(&loop, &watch);
    uv_fs_event_init(&loop, &event);
    uv_fs_poll_init(&loop, &file);
    uv_udp_init(&loop, &udp);
    uv_tcp_init(&loop, &tcp);
    uv_pipe_init(&loop, &local, 0);
    uv_walk(&loop, close_walked, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

#endif
