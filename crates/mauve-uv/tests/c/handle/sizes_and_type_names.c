/* uv_handle_size, uv_handle_type_name, uv_req_size and uv_req_type_name, also for invalid types. */
#include "test.h"

int main(void) {
    for (int kind = -1; kind <= UV_HANDLE_TYPE_MAX + 1; kind++) {
        const char *name = uv_handle_type_name(kind);
        print("handle %d %s %zd", kind, name != NULL ? name : "-", (ssize_t)uv_handle_size(kind));
    }
    for (int kind = -1; kind <= UV_RANDOM; kind++) {
        const char *name = uv_req_type_name(kind);
        print("request %d %s %zd", kind, name != NULL ? name : "-", (ssize_t)uv_req_size(kind));
    }
    print("request 1000 %d %zd", uv_req_type_name(1000) == NULL, (ssize_t)uv_req_size(1000));
    return 0;
}
