/* A buffer is used again as soon as nothing is queued. The documentation asks for more patience, but
 * programs look at write_queue_size. */
#include "cork/two_writes.h"

static uv_write_t writes[5];

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    char word[4] = "a...";
    for (int i = 0; i < 5; i++) {
        uv_buf_t bytes = uv_buf_init(word, 4);
        word[0] = 'a' + i;
        assert(uv_write(&writes[i], STREAM(&tcp), &bytes, 1, on_written) == 0);
        say("  queued %zu", tcp.write_queue_size);
    }
    memset(word, '?', sizeof word);
    say("  size %zu", uv_stream_get_write_queue_size(STREAM(&tcp)));
    say("  peer: %s", taken(peer, 20));
}

int main(void) {
    play("a buffer that is used again", on_timer);
    return 0;
}
