/* A buffer is modified as soon as write_queue_size is 0. The documentation says to wait for the
 * callback, but programs rely on the queue size. */
#include "cork/two_writes.h"

static uv_write_t writes[5];

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    char word[4] = "a...";
    for (int i = 0; i < 5; i++) {
        uv_buf_t bytes = uv_buf_init(word, 4);
        word[0] = 'a' + i;
        assert(uv_write(&writes[i], STREAM(&tcp), &bytes, 1, on_written) == 0);
        print("  queued %zu", tcp.write_queue_size);
    }
    memset(word, '?', sizeof word);
    print("  size %zu", uv_stream_get_write_queue_size(STREAM(&tcp)));
    print("  peer: %s", received(peer, 20));
}

int main(void) {
    run_scenario("modified buffer", on_timer);
    return 0;
}
