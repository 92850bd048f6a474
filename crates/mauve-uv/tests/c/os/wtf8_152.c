/* needs: 1.52 */
/* UTF-16 to WTF-8 and back, also with unpaired surrogates. */
#include "test.h"

/* Converts both ways, with an explicit length and with a terminator. */
static void check_round_trip(const uint16_t *utf16, ssize_t length, const char *wtf8) {
    char *converted = NULL, *converted_terminated = NULL;
    size_t size = 0;
    uint16_t round_trip[64];

    EXPECT(uv_utf16_length_as_wtf8(utf16, length), strlen(wtf8));
    EXPECT(uv_utf16_length_as_wtf8(utf16, -1), strlen(wtf8));
    EXPECT(uv_utf16_to_wtf8(utf16, length, &converted, &size), 0);
    EXPECT(size, strlen(wtf8));
    EXPECT(strcmp(converted, wtf8), 0);
    free(converted);
    EXPECT(uv_utf16_to_wtf8(utf16, -1, &converted_terminated, NULL), 0);
    EXPECT(strcmp(converted_terminated, wtf8), 0);
    free(converted_terminated);
    size = 0;
    EXPECT(uv_utf16_to_wtf8(utf16, length, NULL, &size), 0);
    EXPECT(size, strlen(wtf8));
    EXPECT(uv_wtf8_length_as_utf16(wtf8), length + 1);
    uv_wtf8_to_utf16(wtf8, round_trip, length + 1);
    EXPECT(memcmp(round_trip, utf16, (length + 1) * 2), 0);
}

static void check_output_sizes(void) {
    const uint16_t text[] = {'a', 'b', 'c', 0};
    char buffer[6] = "-----", *target = buffer;
    size_t size = 2;

    EXPECT(uv_utf16_to_wtf8(text, 3, &target, &size), UV_ENOBUFS);
    EXPECT(size, 3);
    EXPECT(memcmp(buffer, "ab\0--", 5), 0);
    EXPECT(uv_utf16_to_wtf8(text, 3, &target, &size), 0);
    EXPECT(memcmp(buffer, "abc\0-", 5), 0);
    size = 5;
    EXPECT(uv_utf16_to_wtf8(text, 1, &target, &size), 0);
    EXPECT(size, 1);
    EXPECT(memcmp(buffer, "a\0c\0-", 5), 0);
}

/* If only a part of the first code point fits, libuv counts that part twice. */
static void check_cut_code_points(void) {
    const uint16_t text[] = {0xd83d, 0xde00, 0x20ac, 'z', 0};
    const size_t sizes[] = {8, 9, 10, 11, 8, 8, 8, 8};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        char buffer[16], *target = buffer;
        size_t size = i;
        EXPECT(uv_utf16_to_wtf8(text, 4, &target, &size), UV_ENOBUFS);
        EXPECT(size, sizes[i]);
        EXPECT(strlen(buffer), i);
    }
}

int main(void) {
    const char *invalid[] = {"\xff", "\x80", "\xc3", "\xc3z", "\xe2\x82", "\xf0\x9f\x98",
                             "\xc0\x80", "\xc1\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"};

    check_round_trip((uint16_t[]){0}, 0, "");
    check_round_trip((uint16_t[]){'a', 'b', 0}, 2, "ab");
    check_round_trip((uint16_t[]){0xe9, 0x20ac, 0}, 2, "\xc3\xa9\xe2\x82\xac");
    check_round_trip((uint16_t[]){0xd83d, 0xde00, 'x', 0}, 3, "\xf0\x9f\x98\x80x");
    check_round_trip((uint16_t[]){0xdbff, 0xdfff, 0}, 2, "\xf4\x8f\xbf\xbf");
    check_round_trip((uint16_t[]){0xd83d, 0}, 1, "\xed\xa0\xbd");
    check_round_trip((uint16_t[]){0xde00, 0xd83d, 0}, 2, "\xed\xb8\x80\xed\xa0\xbd");
    check_round_trip((uint16_t[]){0xd83d, 0xd83d, 0xde00, 0}, 3, "\xed\xa0\xbd\xf0\x9f\x98\x80");
    check_output_sizes();
    check_cut_code_points();
    for (size_t i = 0; i < COUNT(invalid); i++)
        EXPECT(uv_wtf8_length_as_utf16(invalid[i]), UV_EINVAL);
    return 0;
}
