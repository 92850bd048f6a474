/* Prints the version of the library. Run by the harness itself. */
#include <stdio.h>
#include <uv.h>

int main(void) {
    puts(uv_version_string());
    return 0;
}
