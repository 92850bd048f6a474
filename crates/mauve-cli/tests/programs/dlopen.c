/* Loads libuv with dlopen, as programs with modules do. */
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
    void *library = dlopen("libuv.so.1", RTLD_NOW);
    const char *(*version)(void);
    if (library == NULL) return 1;
    *(void **)&version = dlsym(library, "uv_version_string");
    puts(version());
    return 0;
}
