/* Prints the path of the library. Run by the harness itself. */
#include <dlfcn.h>
#include <stdio.h>
#include <uv.h>

int main(void) {
    Dl_info info;
    if (!dladdr((void *)uv_version_string(), &info)) return 1;
    puts(info.dli_fname);
    return 0;
}
