/* uv_thread_create and uv_thread_create_ex, uv_thread_self, uv_key and uv_once. */
#include "test.h"

#include <limits.h>
#include <pthread.h>

static uv_thread_t main_thread;
static uv_once_t guard = UV_ONCE_INIT;
static uv_key_t key;
static int once_calls;

static void once(void) {
    once_calls++;
}

static void entry(void *argument) {
    uv_thread_t self = uv_thread_self();
    uv_once(&guard, once);
    *(int *)argument += 1;
    if (uv_thread_equal(&self, &main_thread) || uv_key_get(&key) != NULL)
        abort();
    uv_key_set(&key, argument);
    if (uv_key_get(&key) != argument)
        abort();
}

static void get_stack_size(void *size) {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, size);
    pthread_attr_destroy(&attributes);
}

/* The C library reuses larger stacks of ended threads, so each size is larger than the previous
 * ones. */
static void print_stack_size(const char *name, unsigned flags, size_t requested) {
    uv_thread_options_t options = {.flags = flags, .stack_size = requested};
    uv_thread_t thread;
    size_t size = 0;
    int result = uv_thread_create_ex(&thread, &options, get_stack_size, &size);
    if (result == 0)
        uv_thread_join(&thread);
    print("stack %s: %s %zu", name, code(result), size);
}

int main(void) {
    uv_thread_t threads[8], same;
    int counts[8] = {0}, sum = 0;

    print("key: %s", code(uv_key_create(&key)));
    print("empty: %d", uv_key_get(&key) == NULL);
    uv_key_set(&key, &sum);
    main_thread = same = uv_thread_self();
    print("equal: %d", uv_thread_equal(&main_thread, &same) != 0);
    for (size_t i = 0; i < COUNT(threads); i++)
        print("create: %s", code(uv_thread_create(&threads[i], entry, &counts[i])));
    print("different: %d", uv_thread_equal(&threads[0], &threads[1]));
    for (size_t i = 0; i < COUNT(threads); i++) {
        print("join: %s", code(uv_thread_join(&threads[i])));
        sum += counts[i];
    }
    print("ran: %d", sum);
    print("once: %d", once_calls);
    print("mine: %d", uv_key_get(&key) == &sum);
    uv_key_delete(&key);

    /* Rounded up to whole pages, this size overflows. */
    print_stack_size("overflow", UV_THREAD_HAS_STACK_SIZE, SIZE_MAX);
    print_stack_size("tiny", UV_THREAD_HAS_STACK_SIZE, 1);
    print_stack_size("pages", UV_THREAD_HAS_STACK_SIZE, 5 * 4096);
    print_stack_size("uneven", UV_THREAD_HAS_STACK_SIZE, 100 * 1000);
    print_stack_size("1 MiB", UV_THREAD_HAS_STACK_SIZE, 1 << 20);
    print_stack_size("too large", UV_THREAD_HAS_STACK_SIZE, (size_t)1 << 60);
    print_stack_size("zero", UV_THREAD_HAS_STACK_SIZE, 0);
    print_stack_size("no flag", UV_THREAD_NO_FLAGS, 12345);
    print_stack_size("64 MiB", UV_THREAD_HAS_STACK_SIZE, 64 << 20);
    return 0;
}
