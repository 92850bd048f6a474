/* The process title, as the library and as the system shows it. */
#include "say.h"

#include <sys/prctl.h>

static void show(const char *when) {
    char title[512] = "", line[512] = "", name[17] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    for (size_t i = 0; i < length; i++)
        if (line[i] == 0)
            line[i] = '|';
    prctl(PR_GET_NAME, name);
    say("%s: %s", when, code(uv_get_process_title(title, sizeof title)));
    say("  [%s] [%s] [%s]", title, line, name);
}

int main(int argc, char **argv) {
    char title[512];
    size_t length;

    /* Started again with arguments that the test knows. */
    if (argc == 1) {
        execl("/proc/self/exe", "program", "first argument", "second", NULL);
        abort();
    }
    say("before, get: %s", code(uv_get_process_title(title, sizeof title)));
    say("before, set: %s", code(uv_set_process_title("early")));
    say("before, no buffer: %s", code(uv_get_process_title(NULL, 1)));
    char **copy = uv_setup_args(argc, argv);
    say("a copy: %d %d", copy != argv, copy[0] != argv[0]);
    show("start");
    say("no buffer: %s", code(uv_get_process_title(NULL, 1)));
    say("no room: %s", code(uv_get_process_title(title, 0)));
    uv_get_process_title(title, sizeof title);
    length = strlen(title);
    say("too small: %s", code(uv_get_process_title(title, length)));
    say("just enough: %s", code(uv_get_process_title(title, length + 1)));

    say("set: %s", code(uv_set_process_title("new")));
    show("new");
    memset(title, 'z', sizeof title);
    title[sizeof title - 1] = 0;
    say("set long: %s", code(uv_set_process_title(title)));
    show("long");
    say("set nothing: %s", code(uv_set_process_title("")));
    show("nothing");
    say("set again: %s", code(uv_set_process_title("program again")));
    show("again");
    for (int i = 0; i <= argc; i++)
        say("argument %d: %s", i, copy[i] == NULL ? "none" : copy[i]);
    return 0;
}
