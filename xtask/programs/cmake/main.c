/* Adds two numbers, if its parent process has loaded the library that LIBUV names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sum.h"

static int parent_uses_our_library(void) {
    char path[64], line[4096];
    const char *ours = getenv("LIBUV");
    int found = 0;
    FILE *maps;
    snprintf(path, sizeof path, "/proc/%d/maps", (int) getppid());
    maps = fopen(path, "r");
    if (!maps || !ours)
        return 0;
    while (fgets(line, sizeof line, maps)) {
        const char *file = strchr(line, '/');
        if (!file || !strstr(file, "/libuv.so"))
            continue;
        if (strncmp(file, ours, strlen(ours)) != 0)
            return 0;
        found = 1;
    }
    fclose(maps);
    return found;
}

int main(int argc, char **argv) {
    int i;
    if (!parent_uses_our_library() || argc != 3)
        return 1;
    for (i = 0; i < 1000; i++)
        printf("%d\n", sum(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
