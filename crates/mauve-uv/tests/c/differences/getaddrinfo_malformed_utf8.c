/* needs: mauve */
/* uv_getaddrinfo returns UV_EINVAL for every host name that is not valid UTF-8. */
#include "test.h"

static const char *const names[] = {
    "\xff",             /* never a lead byte */
    "a\x80.example",    /* continuation byte without a lead byte */
    "\xc3",             /* truncated sequence */
    "\xc0\xae.example", /* overlong encoding */
    "\xed\xa0\x80.de",  /* surrogate */
    "\xf4\x90\x80\x80", /* above U+10FFFF */
    "a\xe2" "AA",       /* truncated sequence that libuv accepts */
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
