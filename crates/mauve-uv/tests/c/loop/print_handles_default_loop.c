/* uv_print_all_handles with a null loop prints the default loop, with the addresses of the
 * handles. */
#include "test.h"

int main(void) {
    uv_timer_t timer;
    char *text = NULL, expected[64];
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    uv_timer_init(uv_default_loop(), &timer);
    uv_print_all_handles(NULL, stream);
    fclose(stream);
    snprintf(expected, sizeof expected, "[R--] timer    %p\n", (void *)&timer);
    print("found: %d", strstr(text, expected) != NULL);
    free(text);
    print("close %s", code(close_loop(uv_default_loop())));
    return 0;
}
