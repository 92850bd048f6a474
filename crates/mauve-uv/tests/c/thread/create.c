/* Threads: arguments, identity, stacks, keys and the function that runs once. */
#include "say.h"

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

static void measure(void *size) {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, size);
    pthread_attr_destroy(&attributes);
}

/* The C library reuses stacks that are larger than asked for, so each size is larger than those
 * before. */
static void stack(const char *name, unsigned flags, size_t asked) {
    uv_thread_options_t options = {.flags = flags, .stack_size = asked};
    uv_thread_t thread;
    size_t size = 0;
    int result = uv_thread_create_ex(&thread, &options, measure, &size);
    if (result == 0)
        uv_thread_join(&thread);
    say("stack %s: %s %zu", name, code(result), size);
}

int main(void) {
    uv_thread_t threads[8], same;
    int counts[8] = {0}, sum = 0;

    say("key: %s", code(uv_key_create(&key)));
    say("empty: %d", uv_key_get(&key) == NULL);
    uv_key_set(&key, &sum);
    main_thread = same = uv_thread_self();
    say("equal: %d", uv_thread_equal(&main_thread, &same) != 0);
    for (size_t i = 0; i < COUNT(threads); i++)
        say("create: %s", code(uv_thread_create(&threads[i], entry, &counts[i])));
    say("different: %d", uv_thread_equal(&threads[0], &threads[1]));
    for (size_t i = 0; i < COUNT(threads); i++) {
        say("join: %s", code(uv_thread_join(&threads[i])));
        sum += counts[i];
    }
    say("ran: %d", sum);
    say("once: %d", once_calls);
    say("mine: %d", uv_key_get(&key) == &sum);
    uv_key_delete(&key);

    stack("tiny", UV_THREAD_HAS_STACK_SIZE, 1);
    stack("pages", UV_THREAD_HAS_STACK_SIZE, 5 * 4096);
    stack("uneven", UV_THREAD_HAS_STACK_SIZE, 100 * 1000);
    stack("1 MiB", UV_THREAD_HAS_STACK_SIZE, 1 << 20);
    stack("too large", UV_THREAD_HAS_STACK_SIZE, (size_t)1 << 60);
    stack("zero", UV_THREAD_HAS_STACK_SIZE, 0);
    stack("no flag", UV_THREAD_NO_FLAGS, 12345);
    stack("64 MiB", UV_THREAD_HAS_STACK_SIZE, 64 << 20);
    return 0;
}
