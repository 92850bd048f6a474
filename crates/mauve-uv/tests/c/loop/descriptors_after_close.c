/* Loops that are closed leave no more descriptors open than the first one has. */
#include "test.h"

#include <fcntl.h>

static void on_signal(uv_signal_t *signal, int number) {
    (void)signal;
    (void)number;
}

static int open_descriptors(void) {
    int count = 0;
    for (int fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) != -1;
    return count;
}

static void open_and_close(int count, int with_signal) {
    uv_loop_t loops[4];
    uv_signal_t signals[4];
    for (int i = 0; i < count; i++) {
        assert(uv_loop_init(&loops[i]) == 0);
        if (!with_signal) continue;
        assert(uv_signal_init(&loops[i], &signals[i]) == 0);
        assert(uv_signal_start(&signals[i], on_signal, SIGUSR1) == 0);
    }
    for (int i = 0; i < count; i++) assert(close_loop(&loops[i]) == 0);
}

int main(void) {
    int before = open_descriptors();
    open_and_close(1, 0);
    int first = open_descriptors();
    print("the first loop leaves %d open", first - before);
    for (int i = 0; i < 10; i++) open_and_close(1 + i % 4, i % 3 == 0);
    open_and_close(1, 0);
    print("the others leave %d more open", open_descriptors() - first);
    return 0;
}
