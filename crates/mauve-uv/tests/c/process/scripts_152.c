/* needs: 1.52 */
/* A script that does not say what runs it is an error. With another user or group, the shell runs
 * it, as execvp does; the first directory of PATH where it can be executed counts. */
#include <errno.h>
#include <sys/stat.h>

#include "child.h"

static int status;

static void on_status(uv_process_t *process, int64_t exited, int number) {
    (void)number;
    status = (int)exited;
    uv_close((uv_handle_t *)process, NULL);
}

/* Returns the error of uv_spawn, or the status. */
static int start(const char *file, unsigned flags) {
    options.file = file;
    options.flags = flags;
    options.uid = getuid();
    options.gid = getgid();
    int result = uv_spawn(&loop, &child, &options);
    if (result != 0) uv_close((uv_handle_t *)&child, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    return result != 0 ? result : status;
}

static void write_script(const char *path, int mode) {
    FILE *file = fopen(path, "w");
    EXPECT(file != NULL, 1);
    fputs("test \"$1$2\" = onetwo && exit 5\n", file);
    fclose(file);
    EXPECT(chmod(path, (mode_t)mode), 0);
}

int main(void) {
    char place[] = "/tmp/mauve-scripts-XXXXXX", path[128], file[64];
    char *args[] = {"name", "one", "two", NULL}, *env[] = {path, NULL};
    prepare_child();
    EXPECT(mkdtemp(place) != NULL, 1);
    EXPECT(chdir(place), 0);
    mkdir("first", 0755);
    mkdir("second", 0755);
    write_script("first/both", 0644);
    write_script("second/both", 0755);
    write_script("second/script", 0755);
    write_script("second/plain", 0644);
    snprintf(path, sizeof path, "PATH=%s/first:%s/second", place, place);
    snprintf(file, sizeof file, "%s/second/script", place);
    options.args = args;
    options.env = env;
    options.exit_cb = on_status;
    static const unsigned ways[] = {UV_PROCESS_SETUID, UV_PROCESS_SETGID};
    for (int i = 0; i < 2; i++) {
        EXPECT(start("script", ways[i]), 5);
        EXPECT(start("both", ways[i]), 5);
        EXPECT(start(file, ways[i]), 5);
        EXPECT(start("plain", ways[i]), UV_EACCES);
        EXPECT(start("nothing", ways[i]), UV_ENOENT);
        EXPECT(start("", ways[i]), UV_ENOENT);
    }
    EXPECT(start("script", 0), -ENOEXEC);
    EXPECT(start(file, 0), -ENOEXEC);
    EXPECT(start("plain", 0), UV_EACCES);
    EXPECT(start("nothing", 0), UV_ENOENT);
    EXPECT(start("", 0), UV_EACCES);
    EXPECT(finish(&loop), 0);
    static const char *const made[] = {"first/both", "second/both", "second/script", "second/plain"};
    for (size_t i = 0; i < COUNT(made); i++) unlink(made[i]);
    rmdir("first");
    rmdir("second");
    rmdir(place);
    return 0;
}
