/* Exit status and termination signal in the exit callback. */
#include "child.h"

int main(void) {
    prepare_child();
    run_child("status 0", "exit 0");
    run_child("status 3", "exit 3");
    run_child("status 255", "exit 255");
    run_child("SIGKILL", "kill -9 $$");
    run_child("SIGTERM", "kill -15 $$");
    options.exit_cb = NULL;
    run_child("null callback", "exit 1");
    print("close %s", code(close_loop(&loop)));
    return 0;
}
