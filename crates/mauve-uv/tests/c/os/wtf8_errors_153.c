/* needs: 1.53 */
/* uv_wtf8_length_as_utf16 of malformed text is UV_EINVAL. */
#include "test.h"

int main(void) {
    static const char *texts[] = {"\xff", "a\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc0\xaf",
                                  "\xf8\x88\x80\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                  "\xe0\x80\x80", "", "\xc3\xa9", "\xf0\x9f\x98\x80"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        ssize_t length = uv_wtf8_length_as_utf16(texts[i]);
        print("%zu: %zd %s", i, length, length < 0 ? uv_err_name(length) : "");
    }
    return 0;
}
