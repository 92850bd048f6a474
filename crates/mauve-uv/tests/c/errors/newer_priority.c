/* needs: 1.52 */
#include "errors.h"

/* Lowers the priority of this thread, which is always allowed, and raises it against the limit. */
int main(void) {
    struct rlimit none = {0, 0};
    /* Some containers have no other user. */
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 0;
    begin();
    OK(setrlimit(RLIMIT_NICE, &none));
    OK(uv_os_setpriority(0, UV_PRIORITY_LOW));
    FAILS(uv_thread_setpriority, UV_EACCES,
          uv_thread_setpriority(uv_thread_self(), UV_THREAD_PRIORITY_HIGHEST));
    return end();
}
