/* How children end. */
#include "child.h"

int main(void) {
    prepare_child();
    run_child("well", "exit 0");
    run_child("badly", "exit 3");
    run_child("very badly", "exit 255");
    run_child("killed", "kill -9 $$");
    run_child("terminated", "kill -15 $$");
    options.exit_cb = NULL;
    run_child("nobody asks", "exit 1");
    say("close %s", code(finish(&loop)));
    return 0;
}
