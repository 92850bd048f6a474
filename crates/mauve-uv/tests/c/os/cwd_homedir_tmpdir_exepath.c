/* uv_cwd, uv_chdir, uv_os_homedir, uv_os_tmpdir and uv_exepath, with buffers of several sizes. */
#include "test.h"

#include <sys/stat.h>

typedef int getter(char *buffer, size_t *size);

/* Results with a null buffer, one that is too small, and one of the exact size. */
static void check_getter(const char *name, getter *get) {
    char buffer[1024];
    size_t size = sizeof buffer, length;

    print("%s: %s", name, code(get(buffer, &size)));
    print("  [%s] %d", buffer, size == strlen(buffer));
    length = size;
    print("  no buffer: %s", code(get(NULL, &size)));
    print("  no size: %s", code(get(buffer, NULL)));
    size = 0;
    print("  size 0: %s", code(get(buffer, &size)));
    size = length;
    print("  one short: %s", code(get(buffer, &size)));
    print("  needs %d more", (int)(size - length));
    size = length + 1;
    print("  just enough: %s", code(get(buffer, &size)));
    print("  %d", size == length);
}

static void set_tmp_variable(const char *name, const char *value) {
    const char *names[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
    for (size_t i = 0; i < COUNT(names); i++)
        unsetenv(names[i]);
    if (name != NULL)
        setenv(name, value, 1);
}

int main(void) {
    char template[] = "/tmp/mauve-paths-XXXXXX", buffer[64];
    size_t size;

    print("chdir to a missing path: %s", code(uv_chdir("/nonexistent")));
    print("chdir to a file: %s", code(uv_chdir("/etc/passwd")));
    print("chdir to an empty name: %s", code(uv_chdir("")));
    print("chdir: %s", code(uv_chdir("/usr/lib")));
    check_getter("cwd", uv_cwd);
    uv_chdir("/");
    check_getter("cwd at the root", uv_cwd);
    assert(mkdtemp(template) != NULL && uv_chdir(template) == 0 && rmdir(template) == 0);
    size = sizeof buffer;
    print("removed cwd: %s", code(uv_cwd(buffer, &size)));
    uv_chdir("/");

    setenv("HOME", "/some/home/", 1);
    check_getter("home", uv_os_homedir);
    setenv("HOME", "", 1);
    size = sizeof buffer;
    print("home is empty: %s", code(uv_os_homedir(buffer, &size)));
    print("  %zu", size);
    unsetenv("HOME");
    check_getter("home from passwd", uv_os_homedir);

    set_tmp_variable("TMPDIR", "/some/tmp");
    check_getter("tmp", uv_os_tmpdir);
    const char *values[] = {"/x/", "/", "relative/", "/two//"};
    for (size_t i = 0; i < COUNT(values); i++) {
        set_tmp_variable("TMP", values[i]);
        size = sizeof buffer;
        print("tmp %s: %s", values[i], code(uv_os_tmpdir(buffer, &size)));
        print("  [%s] %zu", buffer, size);
        for (size_t capacity = 1; capacity <= sizeof "relative/"; capacity++) {
            size = capacity;
            print("  capacity %zu: %s", capacity, code(uv_os_tmpdir(buffer, &size)));
            print("    %zu", size);
        }
    }
    set_tmp_variable("TEMPDIR", "/last");
    setenv("TEMP", "/third", 1);
    size = sizeof buffer;
    print("tmp order: %s", code(uv_os_tmpdir(buffer, &size)));
    print("  [%s]", buffer);
    set_tmp_variable(NULL, NULL);
    check_getter("default tmp", uv_os_tmpdir);

    char path[1024], shown[1024];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length] = 0;
    size = sizeof shown;
    print("exe: %s", code(uv_exepath(shown, &size)));
    print("  %d %d", strcmp(path, shown) == 0, size == (size_t)length);
    size = 3;
    print("exe truncated: %s", code(uv_exepath(shown, &size)));
    print("  %d %zu %zu", strncmp(path, shown, 2) == 0, size, strlen(shown));
    size = 0;
    print("exe size 0: %s", code(uv_exepath(shown, &size)));
    print("exe no buffer: %s", code(uv_exepath(NULL, &size)));
    print("exe no size: %s", code(uv_exepath(shown, NULL)));
    return 0;
}
