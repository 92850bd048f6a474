/* uv_os_getenv, uv_os_setenv, uv_os_unsetenv and uv_os_environ. */
#include "test.h"

extern char **environ;

static void print_environ(const char *name) {
    uv_env_item_t *items;
    int count;
    print("%s: %s", name, code(uv_os_environ(&items, &count)));
    for (int i = 0; i < count; i++)
        print("  [%s] [%s]", items[i].name, items[i].value);
    uv_os_free_environ(items, count);
}

int main(void) {
    char *malformed[] = {"A=1", "NOT A VARIABLE", "B=", "C=x=y", "=D=hidden", "=",
                         NULL}, *none[] = {NULL};
    char buffer[8];
    size_t size = sizeof buffer;

    print("get null name: %s", code(uv_os_getenv(NULL, buffer, &size)));
    print("get null buffer: %s", code(uv_os_getenv("A", NULL, &size)));
    print("get null size: %s", code(uv_os_getenv("A", buffer, NULL)));
    print("get missing: %s", code(uv_os_getenv("NO SUCH VARIABLE", buffer, &size)));
    print("  %zu", size);
    print("get empty name: %s", code(uv_os_getenv("", buffer, &size)));
    size = 0;
    print("get size 0: %s", code(uv_os_getenv("A", buffer, &size)));

    print("set null name: %s", code(uv_os_setenv(NULL, "x")));
    print("set null value: %s", code(uv_os_setenv("X", NULL)));
    print("set empty name: %s", code(uv_os_setenv("", "x")));
    print("set name with =: %s", code(uv_os_setenv("X=Y", "x")));
    print("set: %s", code(uv_os_setenv("X", "1234567")));
    size = 8;
    print("fits: %s", code(uv_os_getenv("X", buffer, &size)));
    print("  [%s] %zu", buffer, size);
    size = 7;
    print("does not fit: %s", code(uv_os_getenv("X", buffer, &size)));
    print("  needs %zu", size);
    print("set to empty: %s", code(uv_os_setenv("X", "")));
    size = 1;
    print("empty fits in 1: %s", code(uv_os_getenv("X", buffer, &size)));
    print("  [%s] %zu", buffer, size);

    print("unset: %s", code(uv_os_unsetenv("X")));
    print("unset again: %s", code(uv_os_unsetenv("X")));
    print("unset null: %s", code(uv_os_unsetenv(NULL)));
    print("unset empty name: %s", code(uv_os_unsetenv("")));
    print("unset name with =: %s", code(uv_os_unsetenv("X=Y")));
    size = sizeof buffer;
    print("after unset: %s", code(uv_os_getenv("X", buffer, &size)));

    environ = malformed;
    print_environ("malformed");
    environ = none;
    print_environ("none");
    return 0;
}
