/* File system events and fs_poll handles. */
#include "workload.h"

static uv_loop_t loop;
static uv_fs_event_t of_folder, of_file;
static uv_fs_poll_t poll;
static uv_timer_t change;
static int events, file_events, polls, changes;

static void end_when_complete(void) {
    if (events == 0 || file_events == 0 || polls == 0) return;
    end_handle(&of_folder);
    end_handle(&of_file);
    end_handle(&poll);
    end_handle(&change);
}

static void on_event(uv_fs_event_t *event, const char *name, int which, int status) {
    (void)name;
    (void)which;
    if (check("event", status) == 0) ++*(event == &of_folder ? &events : &file_events);
    end_when_complete();
}

static void on_poll(uv_fs_poll_t *handle, int status, const uv_stat_t *old, const uv_stat_t *now) {
    (void)handle;
    (void)old;
    (void)now;
    if (check("poll", status) == 0) polls++;
    end_when_complete();
}

/* Changes the file repeatedly, because the first poll may run after a change. */
static void on_change(uv_timer_t *timer) {
    (void)timer;
    set_injection(0);
    int file = open(in_folder("file"), O_WRONLY | O_APPEND);
    assert(file >= 0 && write(file, "more", 4) == 4);
    close(file);
    char name[32];
    snprintf(name, sizeof name, "new%d", changes++);
    close(open(in_folder(name), O_WRONLY | O_CREAT, 0600));
    set_injection(1);
}

static void watch(void) {
    if (check("init", uv_fs_event_init(&loop, &of_folder)) != 0) return;
    if (check("init", uv_fs_event_init(&loop, &of_file)) != 0) return;
    if (check("init", uv_fs_poll_init(&loop, &poll)) != 0) return;
    check("start", uv_fs_event_start(&of_folder, on_event, folder, 0));
    check("start", uv_fs_event_start(&of_file, on_event, in_folder("file"), 0));
    check("poll_start", uv_fs_poll_start(&poll, on_poll, in_folder("file"), 5));
    if (check("timer_init", uv_timer_init(&loop, &change)) != 0) return;
    check("timer_start", uv_timer_start(&change, on_change, 3, 10));
}

int main(void) {
    make_folder();
    close(open(in_folder("file"), O_WRONLY | O_CREAT, 0600));
    set_injection(1);
    if (init_loop(&loop)) {
        watch();
        finish_loop(&loop);
        complete("events of a folder", events > 0);
        complete("events of a file", file_events > 0);
        complete("polls", polls > 0);
    }
    int code = exit_code();
    remove_folder();
    return code;
}
