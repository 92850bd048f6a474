/* Variables of the environment, one by one and all together. */
#include "say.h"

extern char **environ;

static void list(const char *name) {
    uv_env_item_t *items;
    int count;
    say("%s: %s", name, code(uv_os_environ(&items, &count)));
    for (int i = 0; i < count; i++)
        say("  [%s] [%s]", items[i].name, items[i].value);
    uv_os_free_environ(items, count);
}

int main(void) {
    char *odd[] = {"A=1", "NOT A VARIABLE", "B=", "C=x=y", "=D=hidden", "=", NULL}, *none[] = {NULL};
    char buffer[8];
    size_t size = sizeof buffer;

    say("get nothing: %s", code(uv_os_getenv(NULL, buffer, &size)));
    say("get no buffer: %s", code(uv_os_getenv("A", NULL, &size)));
    say("get no size: %s", code(uv_os_getenv("A", buffer, NULL)));
    say("get missing: %s", code(uv_os_getenv("NO SUCH VARIABLE", buffer, &size)));
    say("  %zu", size);
    say("get empty name: %s", code(uv_os_getenv("", buffer, &size)));
    size = 0;
    say("get size 0: %s", code(uv_os_getenv("A", buffer, &size)));

    say("set no name: %s", code(uv_os_setenv(NULL, "x")));
    say("set no value: %s", code(uv_os_setenv("X", NULL)));
    say("set empty name: %s", code(uv_os_setenv("", "x")));
    say("set name with =: %s", code(uv_os_setenv("X=Y", "x")));
    say("set: %s", code(uv_os_setenv("X", "1234567")));
    size = 8;
    say("fits: %s", code(uv_os_getenv("X", buffer, &size)));
    say("  [%s] %zu", buffer, size);
    size = 7;
    say("does not: %s", code(uv_os_getenv("X", buffer, &size)));
    say("  wants %zu", size);
    say("set again, to nothing: %s", code(uv_os_setenv("X", "")));
    size = 1;
    say("empty fits in 1: %s", code(uv_os_getenv("X", buffer, &size)));
    say("  [%s] %zu", buffer, size);

    say("unset: %s", code(uv_os_unsetenv("X")));
    say("unset again: %s", code(uv_os_unsetenv("X")));
    say("unset nothing: %s", code(uv_os_unsetenv(NULL)));
    say("unset empty name: %s", code(uv_os_unsetenv("")));
    say("unset name with =: %s", code(uv_os_unsetenv("X=Y")));
    size = sizeof buffer;
    say("gone: %s", code(uv_os_getenv("X", buffer, &size)));

    environ = odd;
    list("odd");
    environ = none;
    list("none");
    return 0;
}
