/* needs: mauve */
/* Host names that are not UTF-8 are refused, all of them. */
#include "say.h"

static const char *const names[] = {
    "\xff",             /* no character begins like this */
    "a\x80.example",    /* the middle of one */
    "\xc3",             /* the beginning of one */
    "\xc0\xae.example", /* longer than it has to be */
    "\xed\xa0\x80.de",  /* half of a pair */
    "\xf4\x90\x80\x80", /* beyond the last one */
    "a\xe2" "AA",       /* a beginning without the rest, which libuv takes */
};

static void never(uv_getaddrinfo_t *request, int status, struct addrinfo *found) {
    (void)request, (void)status, (void)found;
    exit(1);
}

int main(void) {
    uv_loop_t loop;
    uv_getaddrinfo_t request;
    uv_loop_init(&loop);
    for (size_t i = 0; i < COUNT(names); i++)
        EXPECT(uv_getaddrinfo(&loop, &request, never, names[i], NULL, NULL), UV_EINVAL);
    EXPECT(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT(uv_loop_close(&loop), 0);
    return 0;
}
