/* aborts: uv_close: the handle is a null pointer */
#include "test.h"

int main(void) {
    uv_close(NULL, NULL);
    return 0;
}
