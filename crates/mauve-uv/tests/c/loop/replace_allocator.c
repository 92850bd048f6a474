/* uv_replace_allocator requires all four functions. */
#include "test.h"

static int allocations;

static void *counting_malloc(size_t size) {
    allocations++;
    return malloc(size);
}

int main(void) {
    uv_loop_t *loop;

    print("none %s", code(uv_replace_allocator(NULL, realloc, calloc, free)));
    print("none %s", code(uv_replace_allocator(malloc, NULL, calloc, free)));
    print("none %s", code(uv_replace_allocator(malloc, realloc, NULL, free)));
    print("none %s", code(uv_replace_allocator(malloc, realloc, calloc, NULL)));
    print("all %s", code(uv_replace_allocator(counting_malloc, realloc, calloc, free)));
    loop = uv_loop_new();
    print("used %d", allocations > 0);
    uv_loop_delete(loop);
    return 0;
}
