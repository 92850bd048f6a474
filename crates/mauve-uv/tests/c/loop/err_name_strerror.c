/* uv_err_name, uv_strerror, their _r variants and uv_translate_sys_error, also for unknown
 * numbers. */
#include "test.h"

int main(void) {
    static const int numbers[] = {0, 1, 2, 100, -200, -3999, -4097, -100000};
    char name[64], message[64];

#define PRINT(constant, text)                                                                     \
    print("%s %d %s: %s", #constant, UV_##constant, uv_err_name(UV_##constant),                   \
        uv_strerror(UV_##constant));
    UV_ERRNO_MAP(PRINT)

    for (size_t i = 0; i < COUNT(numbers); i++) {
        char *leaked_name = (char *)uv_err_name(numbers[i]);
        print("%d: %s; %s", numbers[i], leaked_name, uv_strerror(numbers[i]));
        memset(name, 'x', sizeof name);
        memset(message, 'x', sizeof message);
        print("  %d %s", uv_err_name_r(numbers[i], name, sizeof name) == name, name);
        print("  %d %s", uv_strerror_r(numbers[i], message, sizeof message) == message, message);
    }
    memset(name, 'x', sizeof name);
    uv_err_name_r(UV_EADDRINUSE, name, 5);
    print("truncated: %s, %c", name, name[5]);
    uv_strerror_r(UV_EADDRINUSE, name, 8);
    print("truncated: %s", name);
    uv_err_name_r(UV_EADDRINUSE, name, 1);
    print("empty: '%s'", name);

    for (int number = -3; number < 4; number++)
        print("translate %d: %d", number, uv_translate_sys_error(number));
    return 0;
}
