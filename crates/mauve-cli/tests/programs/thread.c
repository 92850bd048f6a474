/* A library that starts a thread before main. */
#include <pthread.h>
#include <unistd.h>

static void *wait(void *unused) { return pause(), unused; }

__attribute__((constructor)) static void begin(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
}
