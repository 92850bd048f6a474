/* uv_print_all_handles and uv_print_active_handles, without the addresses. */
#include "test.h"

static uv_loop_t loop;

static void print_listing(const char *title, void (*print_handles)(uv_loop_t *, FILE *)) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    print_handles(&loop, stream);
    fclose(stream);
    print("%s", title);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *address = strstr(line, " 0x");
        assert(address != NULL);
        address[1] = 0;
        print("  %s|", line);
    }
    free(text);
}

static void on_timer(uv_timer_t *timer) { (void)timer; }

int main(void) {
    uv_timer_t timer, closing, unreferenced;
    uv_idle_t idle;
    uv_prepare_t prepare;
    uv_check_t check;
    uv_async_t async;
    uv_poll_t poll;
    int ends[2];

    assert(pipe(ends) == 0);
    uv_loop_init(&loop);
    print_listing("new loop", uv_print_all_handles);
    uv_timer_init(&loop, &timer);
    uv_timer_start(&timer, on_timer, 1000, 0);
    uv_idle_init(&loop, &idle);
    uv_prepare_init(&loop, &prepare);
    uv_unref((uv_handle_t *)&prepare);
    uv_check_init(&loop, &check);
    uv_async_init(&loop, &async, NULL);
    uv_poll_init(&loop, &poll, ends[0]);
    uv_timer_init(&loop, &unreferenced);
    uv_timer_start(&unreferenced, on_timer, 1000, 0);
    uv_unref((uv_handle_t *)&unreferenced);
    uv_timer_init(&loop, &closing);
    uv_timer_start(&closing, on_timer, 1000, 0);
    uv_close((uv_handle_t *)&closing, NULL);
    print_listing("all", uv_print_all_handles);
    print_listing("active", uv_print_active_handles);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
