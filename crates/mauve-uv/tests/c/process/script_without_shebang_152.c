/* needs: 1.52 */
/* A script without a #! line fails with ENOEXEC. With UV_PROCESS_SETUID or UV_PROCESS_SETGID the
 * shell runs it, as execvp does. The first directory of PATH where it is executable is used. */
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
static int spawn_and_wait(const char *file, unsigned flags) {
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
    char directory[] = "/tmp/mauve-scripts-XXXXXX", path[128], file[64];
    char *args[] = {"name", "one", "two", NULL}, *env[] = {path, NULL};
    prepare_child();
    EXPECT(mkdtemp(directory) != NULL, 1);
    EXPECT(chdir(directory), 0);
    mkdir("first", 0755);
    mkdir("second", 0755);
    write_script("first/both", 0644);
    write_script("second/both", 0755);
    write_script("second/script", 0755);
    write_script("second/plain", 0644);
    snprintf(path, sizeof path, "PATH=%s/first:%s/second", directory, directory);
    snprintf(file, sizeof file, "%s/second/script", directory);
    options.args = args;
    options.env = env;
    options.exit_cb = on_status;
    static const unsigned set_id_flags[] = {UV_PROCESS_SETUID, UV_PROCESS_SETGID};
    for (int i = 0; i < 2; i++) {
        EXPECT(spawn_and_wait("script", set_id_flags[i]), 5);
        EXPECT(spawn_and_wait("both", set_id_flags[i]), 5);
        EXPECT(spawn_and_wait(file, set_id_flags[i]), 5);
        EXPECT(spawn_and_wait("plain", set_id_flags[i]), UV_EACCES);
        EXPECT(spawn_and_wait("nothing", set_id_flags[i]), UV_ENOENT);
        EXPECT(spawn_and_wait("", set_id_flags[i]), UV_ENOENT);
    }
    EXPECT(spawn_and_wait("script", 0), -ENOEXEC);
    EXPECT(spawn_and_wait(file, 0), -ENOEXEC);
    EXPECT(spawn_and_wait("plain", 0), UV_EACCES);
    EXPECT(spawn_and_wait("nothing", 0), UV_ENOENT);
    EXPECT(spawn_and_wait("", 0), UV_EACCES);
    EXPECT(close_loop(&loop), 0);
    static const char *const scripts[] = {"first/both", "second/both", "second/script",
                                          "second/plain"};
    for (size_t i = 0; i < COUNT(scripts); i++) unlink(scripts[i]);
    rmdir("first");
    rmdir("second");
    rmdir(directory);
    return 0;
}
