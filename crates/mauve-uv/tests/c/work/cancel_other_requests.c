/* uv_cancel fails for requests that neither run on the pool nor write. */
#include "test.h"

int main(void) {
    static const uv_req_type kinds[] = {UV_REQ, UV_CONNECT, UV_SHUTDOWN, UV_UDP_SEND};
    union uv_any_req request;

    for (size_t i = 0; i < COUNT(kinds); i++) {
        memset(&request, 0, sizeof request);
        request.req.type = kinds[i];
        print("%s: %s", uv_req_type_name(kinds[i]), code(uv_cancel(&request.req)));
    }
    return 0;
}
