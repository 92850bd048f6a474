/* More children than descriptors: every exit is reported, and no zombie or descriptor is left. */
#include "child.h"

#include <dirent.h>
#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define CHILDREN 150

static uv_process_t children[CHILDREN];
static int exits[CHILDREN], failed;

static void on_one_exit(uv_process_t *process, int64_t status, int number) {
    int index = (int)(process - children);
    if (status != index || number != 0) failed++;
    exits[index]++;
    uv_close((uv_handle_t *)process, NULL);
}

static int count_descriptors(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory) != NULL) count++;
    closedir(directory);
    return count;
}

int main(void) {
    struct rlimit limit = {64, 64};
    char script[32];

    prepare_child();
    run_child("one", "exit 0");
    setrlimit(RLIMIT_NOFILE, &limit);
    int before = count_descriptors();
    options.exit_cb = on_one_exit;
    for (int i = 0; i < CHILDREN; i++) {
        snprintf(script, sizeof script, "exit %d", i);
        shell[2] = script;
        if (uv_spawn(&loop, &children[i], &options) != 0) failed++;
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    int lost = 0;
    for (int i = 0; i < CHILDREN; i++) lost += exits[i] != 1;
    print("failed %d, lost %d", failed, lost);
    print("descriptors left: %d", count_descriptors() > before);
    print("children left: %d", waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD);
    print("close %s", code(close_loop(&loop)));
    return 0;
}
