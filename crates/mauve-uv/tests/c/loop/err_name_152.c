/* needs: 1.52 */
/* Errors that are newer than Debian's header. */
#include "test.h"

#include <errno.h>

static void check(int number, const char *name, const char *message) {
    if (strcmp(uv_err_name(-number), name) != 0) record_event(uv_err_name(-number));
    if (strcmp(uv_strerror(-number), message) != 0) record_event(uv_strerror(-number));
}

int main(void) {
    check(ENODATA, "ENODATA", "no data available");
    check(EUNATCH, "EUNATCH", "protocol driver not attached");
    EXPECT_EVENTS("");
    return 0;
}
