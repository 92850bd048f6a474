/* needs: 1.52 */
/* Errors that Debian's header does not know yet. */
#include "say.h"

#include <errno.h>

static void check(int number, const char *name, const char *message) {
    if (strcmp(uv_err_name(-number), name) != 0) tell(uv_err_name(-number));
    if (strcmp(uv_strerror(-number), message) != 0) tell(uv_strerror(-number));
}

int main(void) {
    check(ENODATA, "ENODATA", "no data available");
    check(EUNATCH, "EUNATCH", "protocol driver not attached");
    EXPECT_STORY("");
    return 0;
}
