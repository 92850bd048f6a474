/* Prints the version of its libuv and its arguments. The first argument is the exit code. It runs a loop,
   because a static library only adds the parts that a program uses. */
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

int main(int argc, char **argv) {
    printf("%s", uv_version_string());
    for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    puts("");
    if (uv_run(uv_default_loop(), UV_RUN_DEFAULT) != 0) return 127;
    return argc > 1 ? atoi(argv[1]) : 0;
}
