/* uv_dlopen, uv_dlsym, uv_dlclose and uv_dlerror. */
#include "test.h"

int main(void) {
    uv_lib_t library;
    void *symbol = &library;

    print("missing: %d", uv_dlopen("/nonexistent/library.so", &library));
    print("  [%s]", uv_dlerror(&library));
    print("  [%s]", uv_dlerror(&library));
    uv_dlclose(&library);
    print("closed: [%s]", uv_dlerror(&library));

    print("the C library: %d", uv_dlopen("libc.so.6", &library));
    print("  [%s]", uv_dlerror(&library));
    print("no such symbol: %d", uv_dlsym(&library, "no_such_symbol", &symbol));
    print("  %d %d", symbol == NULL, strstr(uv_dlerror(&library), "no_such_symbol") != NULL);
    print("symbol: %d", uv_dlsym(&library, "getpid", &symbol));
    print("  works: %d", ((pid_t(*)(void))symbol)() == getpid());
    uv_dlclose(&library);
    print("closed: [%s]", uv_dlerror(&library));

    print("this program: %d", uv_dlopen(NULL, &library));
    print("printf: %d", uv_dlsym(&library, "printf", &symbol));
    print("  %d", symbol != NULL);
    uv_dlclose(&library);
    return 0;
}
