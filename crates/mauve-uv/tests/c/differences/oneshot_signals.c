/* needs: mauve */
/* A one-shot watch that begins while the signal of another one is still to be told catches the
 * next signal; with libuv nobody does, and the process ends. */
#include "say.h"

#include <signal.h>

static void on_signal(uv_signal_t *signal, int number) {
    EXPECT(number, SIGUSR1);
    tell(signal->data);
}

int main(void) {
    uv_loop_t loop;
    uv_signal_t first, second;
    uv_loop_init(&loop);
    uv_signal_init(&loop, &first);
    uv_signal_init(&loop, &second);
    first.data = "first";
    second.data = "second";
    EXPECT(uv_signal_start_oneshot(&first, on_signal, SIGUSR1), 0);
    raise(SIGUSR1);
    EXPECT(uv_signal_start_oneshot(&second, on_signal, SIGUSR1), 0);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(strstr(story, "first") != NULL && strstr(story, "second") != NULL, 1);
    EXPECT(finish(&loop), 0);
    return 0;
}
