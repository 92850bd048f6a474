/* aborts: was never initialised */
#include "test.h"

int main(void) {
    uv_idle_t idle;
    memset(&idle, 0, sizeof idle);
    uv_idle_stop(&idle);
    return 0;
}
