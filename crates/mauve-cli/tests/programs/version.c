/* Prints the version of its libuv and its arguments. The first argument is the exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

int main(int argc, char **argv) {
    printf("%s", uv_version_string());
    for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    puts("");
    return argc > 1 ? atoi(argv[1]) : 0;
}
