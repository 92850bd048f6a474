/* needs: mauve */
/* uv_replace_allocator: memory that the program frees through the library comes from the program's
 * functions, internal memory does not. */
#include "test.h"

static int allocated, freed;

static void *my_malloc(size_t size) {
    allocated++;
    return malloc(size);
}

static void *my_calloc(size_t count, size_t size) {
    allocated++;
    return calloc(count, size);
}

static void *my_realloc(void *pointer, size_t size) {
    allocated++;
    return realloc(pointer, size);
}

static void my_free(void *pointer) {
    freed += pointer != NULL;
    free(pointer);
}

int main(void) {
    uv_loop_t loop;
    uv_async_t handle;
    uv_env_item_t *items;
    int count;
    EXPECT(uv_replace_allocator(my_malloc, my_realloc, my_calloc, my_free), 0);
    EXPECT(uv_loop_init(&loop), 0);
    EXPECT(uv_async_init(&loop, &handle, NULL), 0);
    EXPECT(close_loop(&loop), 0);
    EXPECT(allocated, 0);

    EXPECT(setenv("NAME", "value", 1), 0);
    EXPECT(uv_os_environ(&items, &count), 0);
    EXPECT(allocated > 0, 1);
    uv_os_free_environ(items, count);
    EXPECT(freed, allocated);
    return 0;
}
