/* aborts: uv_run: the loop is a null pointer */
#include "test.h"

int main(void) {
    uv_run(NULL, UV_RUN_DEFAULT);
    return 0;
}
