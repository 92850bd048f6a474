/* uv_setup_args, uv_get_process_title and uv_set_process_title, compared with /proc/self/cmdline.
 * */
#include "test.h"

#include <sys/prctl.h>

static void print_title(const char *when) {
    char title[512] = "", line[512] = "", name[17] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    for (size_t i = 0; i < length; i++)
        if (line[i] == 0)
            line[i] = '|';
    prctl(PR_GET_NAME, name);
    print("%s: %s", when, code(uv_get_process_title(title, sizeof title)));
    print("  [%s] [%s] [%s]", title, line, name);
}

int main(int argc, char **argv) {
    char title[512];
    size_t length;

    /* Executes itself with fixed arguments. */
    if (argc == 1) {
        execl("/proc/self/exe", "program", "first argument", "second", NULL);
        abort();
    }
    print("before, get: %s", code(uv_get_process_title(title, sizeof title)));
    print("before, set: %s", code(uv_set_process_title("early")));
    print("before, no buffer: %s", code(uv_get_process_title(NULL, 1)));
    char **copy = uv_setup_args(argc, argv);
    print("a copy: %d %d", copy != argv, copy[0] != argv[0]);
    print_title("start");
    print("no buffer: %s", code(uv_get_process_title(NULL, 1)));
    print("zero size: %s", code(uv_get_process_title(title, 0)));
    uv_get_process_title(title, sizeof title);
    length = strlen(title);
    print("too small: %s", code(uv_get_process_title(title, length)));
    print("just enough: %s", code(uv_get_process_title(title, length + 1)));

    print("set: %s", code(uv_set_process_title("new")));
    print_title("new");
    memset(title, 'z', sizeof title);
    title[sizeof title - 1] = 0;
    print("set long: %s", code(uv_set_process_title(title)));
    print_title("long");
    print("set empty: %s", code(uv_set_process_title("")));
    print_title("empty");
    print("set again: %s", code(uv_set_process_title("program again")));
    print_title("again");
    for (int i = 0; i <= argc; i++)
        print("argument %d: %s", i, copy[i] == NULL ? "none" : copy[i]);
    return 0;
}
