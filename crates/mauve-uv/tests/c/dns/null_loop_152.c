/* needs: 1.52 */
/* A synchronous uv_getaddrinfo works with a null loop. */
#include "test.h"

#include <netdb.h>

int main(void) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    uv_getaddrinfo_t request;

    EXPECT(uv_getaddrinfo(NULL, &request, NULL, "127.0.0.1", NULL, &hints), 0);
    EXPECT(request.addrinfo->ai_family, AF_INET);
    uv_freeaddrinfo(request.addrinfo);
    EXPECT(uv_getaddrinfo(NULL, &request, NULL, "x", NULL, &hints), UV_EAI_NONAME);
    EXPECT(request.addrinfo == NULL, 1);
    return 0;
}
