/* Without a loop the listing is of the default loop, and the addresses are those of the handles. */
#include "say.h"

int main(void) {
    uv_timer_t timer;
    char *text = NULL, expected[64];
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    uv_timer_init(uv_default_loop(), &timer);
    uv_print_all_handles(NULL, stream);
    fclose(stream);
    snprintf(expected, sizeof expected, "[R--] timer    %p\n", (void *)&timer);
    say("found: %d", strstr(text, expected) != NULL);
    free(text);
    say("close %s", code(finish(uv_default_loop())));
    return 0;
}
