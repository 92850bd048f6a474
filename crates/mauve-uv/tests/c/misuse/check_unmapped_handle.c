/* aborts: uv_run: the timer handle at 0x ... , created by uv_timer_init, was overwritten or freed before its close callback */
/* env: MAUVE_CHECK=1 */
#include "test.h"

#include <sys/mman.h>

int main(void) {
    uv_loop_t loop;
    uv_loop_init(&loop);
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED);
    uv_timer_init(&loop, memory);
    uv_close(memory, NULL);
    munmap(memory, 4096);
    uv_run(&loop, UV_RUN_DEFAULT);
    return 0;
}
