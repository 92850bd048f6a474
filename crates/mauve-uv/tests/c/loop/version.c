/* uv_buf_init, uv_version and uv_hrtime, which need no loop. */
#include "test.h"

int main(void) {
    char bytes[4];
    uv_buf_t buffer = uv_buf_init(bytes, sizeof bytes);
    unsigned version = uv_version();
    char text[32];

    print("buffer: %d %zu", buffer.base == bytes, buffer.len);
    snprintf(text, sizeof text, "%u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
    print("version: %d", strncmp(uv_version_string(), text, strlen(text)) == 0);
    print("major: %u", version >> 16);
    print("clock: %d", uv_hrtime() <= uv_hrtime());
    return 0;
}
