/* uv_os_getpriority and uv_os_setpriority. */
#include "test.h"

int main(void) {
    int priority = 99;
    print("get, null: %s", code(uv_os_getpriority(0, NULL)));
    print("get: %s", code(uv_os_getpriority(0, &priority)));
    print("  %d", priority >= -20 && priority <= 19);
    print("get of a missing process: %s", code(uv_os_getpriority(99999999, &priority)));
    print("get -2: %s", code(uv_os_getpriority(-2, &priority)));
    print("set -21: %s", code(uv_os_setpriority(0, -21)));
    print("set 20: %s", code(uv_os_setpriority(0, 20)));
    print("set of a missing process: %s", code(uv_os_setpriority(99999999, 0)));
    print("set 20 of a missing process: %s", code(uv_os_setpriority(99999999, 20)));
    print("set low: %s", code(uv_os_setpriority(getpid(), UV_PRIORITY_LOW)));
    print("get again: %s", code(uv_os_getpriority(getpid(), &priority)));
    print("  %d", priority);
    return 0;
}
