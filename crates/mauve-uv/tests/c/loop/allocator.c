/* uv_replace_allocator wants all four functions. */
#include "say.h"

static int allocations;

static void *counting(size_t size) {
    allocations++;
    return malloc(size);
}

int main(void) {
    uv_loop_t *loop;

    say("none %s", code(uv_replace_allocator(NULL, realloc, calloc, free)));
    say("none %s", code(uv_replace_allocator(malloc, NULL, calloc, free)));
    say("none %s", code(uv_replace_allocator(malloc, realloc, NULL, free)));
    say("none %s", code(uv_replace_allocator(malloc, realloc, calloc, NULL)));
    say("all %s", code(uv_replace_allocator(counting, realloc, calloc, free)));
    loop = uv_loop_new();
    say("used %d", allocations > 0);
    uv_loop_delete(loop);
    return 0;
}
