/* Buffers, versions and clocks: what needs no loop. The numbers of the version may differ. */
#include "say.h"

int main(void) {
    char bytes[4];
    uv_buf_t buffer = uv_buf_init(bytes, sizeof bytes);
    unsigned version = uv_version();
    char text[32];

    say("buffer: %d %zu", buffer.base == bytes, buffer.len);
    snprintf(text, sizeof text, "%u.%u.%u", version >> 16, version >> 8 & 255, version & 255);
    say("version: %d", strncmp(uv_version_string(), text, strlen(text)) == 0);
    say("major: %u", version >> 16);
    say("clock: %d", uv_hrtime() <= uv_hrtime());
    return 0;
}
