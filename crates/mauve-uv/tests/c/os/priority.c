/* Priorities of processes. */
#include "say.h"

int main(void) {
    int priority = 99;
    say("get nowhere: %s", code(uv_os_getpriority(0, NULL)));
    say("get: %s", code(uv_os_getpriority(0, &priority)));
    say("  %d", priority >= -20 && priority <= 19);
    say("get nobody: %s", code(uv_os_getpriority(99999999, &priority)));
    say("get -2: %s", code(uv_os_getpriority(-2, &priority)));
    say("set -21: %s", code(uv_os_setpriority(0, -21)));
    say("set 20: %s", code(uv_os_setpriority(0, 20)));
    say("set nobody: %s", code(uv_os_setpriority(99999999, 0)));
    say("set nobody too much: %s", code(uv_os_setpriority(99999999, 20)));
    say("set low: %s", code(uv_os_setpriority(getpid(), UV_PRIORITY_LOW)));
    say("get again: %s", code(uv_os_getpriority(getpid(), &priority)));
    say("  %d", priority);
    return 0;
}
