/* Where the program is, where it was started from, where its user's files are. */
#include "say.h"

#include <sys/stat.h>

typedef int question(char *buffer, size_t *size);

/* How a question answers when the buffer is missing, too small and just right. */
static void ask(const char *name, question *answer) {
    char buffer[1024];
    size_t size = sizeof buffer, length;

    say("%s: %s", name, code(answer(buffer, &size)));
    say("  [%s] %d", buffer, size == strlen(buffer));
    length = size;
    say("  no buffer: %s", code(answer(NULL, &size)));
    say("  no size: %s", code(answer(buffer, NULL)));
    size = 0;
    say("  size 0: %s", code(answer(buffer, &size)));
    size = length;
    say("  one short: %s", code(answer(buffer, &size)));
    say("  wants %d more", (int)(size - length));
    size = length + 1;
    say("  just enough: %s", code(answer(buffer, &size)));
    say("  %d", size == length);
}

static void set(const char *name, const char *value) {
    const char *names[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
    for (size_t i = 0; i < COUNT(names); i++)
        unsetenv(names[i]);
    if (name != NULL)
        setenv(name, value, 1);
}

int main(void) {
    char template[] = "/tmp/mauve-paths-XXXXXX", buffer[64];
    size_t size;

    say("chdir to nothing: %s", code(uv_chdir("/nonexistent")));
    say("chdir to a file: %s", code(uv_chdir("/etc/passwd")));
    say("chdir to an empty name: %s", code(uv_chdir("")));
    say("chdir: %s", code(uv_chdir("/usr/lib")));
    ask("cwd", uv_cwd);
    uv_chdir("/");
    ask("cwd at the root", uv_cwd);
    assert(mkdtemp(template) != NULL && uv_chdir(template) == 0 && rmdir(template) == 0);
    size = sizeof buffer;
    say("cwd that is gone: %s", code(uv_cwd(buffer, &size)));
    uv_chdir("/");

    setenv("HOME", "/some/home/", 1);
    ask("home", uv_os_homedir);
    setenv("HOME", "", 1);
    size = sizeof buffer;
    say("home is empty: %s", code(uv_os_homedir(buffer, &size)));
    say("  %zu", size);
    unsetenv("HOME");
    ask("home from the database", uv_os_homedir);

    set("TMPDIR", "/some/tmp");
    ask("tmp", uv_os_tmpdir);
    const char *values[] = {"/x/", "/", "relative/", "/two//"};
    for (size_t i = 0; i < COUNT(values); i++) {
        set("TMP", values[i]);
        size = sizeof buffer;
        say("tmp %s: %s", values[i], code(uv_os_tmpdir(buffer, &size)));
        say("  [%s] %zu", buffer, size);
        for (size_t room = 1; room <= sizeof "relative/"; room++) {
            size = room;
            say("  room for %zu: %s", room, code(uv_os_tmpdir(buffer, &size)));
            say("    %zu", size);
        }
    }
    set("TEMPDIR", "/last");
    setenv("TEMP", "/third", 1);
    size = sizeof buffer;
    say("tmp order: %s", code(uv_os_tmpdir(buffer, &size)));
    say("  [%s]", buffer);
    set(NULL, NULL);
    ask("tmp by default", uv_os_tmpdir);

    char path[1024], shown[1024];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length] = 0;
    size = sizeof shown;
    say("exe: %s", code(uv_exepath(shown, &size)));
    say("  %d %d", strcmp(path, shown) == 0, size == (size_t)length);
    size = 3;
    say("exe is cut: %s", code(uv_exepath(shown, &size)));
    say("  %d %zu %zu", strncmp(path, shown, 2) == 0, size, strlen(shown));
    size = 0;
    say("exe size 0: %s", code(uv_exepath(shown, &size)));
    say("exe no buffer: %s", code(uv_exepath(NULL, &size)));
    say("exe no size: %s", code(uv_exepath(shown, NULL)));
    return 0;
}
