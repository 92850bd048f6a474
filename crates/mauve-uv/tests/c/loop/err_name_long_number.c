/* uv_err_name and uv_strerror of unknown errors whose numbers have nine or ten digits. */
#include "test.h"

#include <limits.h>

int main(void) {
    int errors[] = {-999999999, -1000000000, INT_MIN + 1, INT_MIN, 999999999, INT_MAX};
    for (size_t i = 0; i < COUNT(errors); i++) {
        char name[64], message[64];
        uv_err_name_r(errors[i], name, sizeof(name));
        uv_strerror_r(errors[i], message, sizeof(message));
        print("%d: %s, %s, %s, %s", errors[i], uv_err_name(errors[i]), uv_strerror(errors[i]), name,
              message);
    }
    return 0;
}
