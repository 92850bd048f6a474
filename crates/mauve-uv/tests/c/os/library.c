/* Shared libraries: loading, looking up, and what went wrong. */
#include "say.h"

int main(void) {
    uv_lib_t library;
    void *symbol = &library;

    say("missing: %d", uv_dlopen("/nonexistent/library.so", &library));
    say("  [%s]", uv_dlerror(&library));
    say("  [%s]", uv_dlerror(&library));
    uv_dlclose(&library);
    say("closed: [%s]", uv_dlerror(&library));

    say("the C library: %d", uv_dlopen("libc.so.6", &library));
    say("  [%s]", uv_dlerror(&library));
    say("no such symbol: %d", uv_dlsym(&library, "no_such_symbol", &symbol));
    say("  %d %d", symbol == NULL, strstr(uv_dlerror(&library), "no_such_symbol") != NULL);
    say("symbol: %d", uv_dlsym(&library, "getpid", &symbol));
    say("  is it: %d", ((pid_t(*)(void))symbol)() == getpid());
    uv_dlclose(&library);
    say("closed: [%s]", uv_dlerror(&library));

    say("this program: %d", uv_dlopen(NULL, &library));
    say("printf: %d", uv_dlsym(&library, "printf", &symbol));
    say("  %d", symbol != NULL);
    uv_dlclose(&library);
    return 0;
}
