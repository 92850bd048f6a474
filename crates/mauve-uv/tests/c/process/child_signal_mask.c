/* A child starts with no signal blocked or ignored, whatever its parent has set. */
#include "child.h"

int main(void) {
    sigset_t set;

    prepare_child();
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    run_child("mask", "grep -E 'SigBlk' /proc/self/status; kill -PIPE $$; echo still here");
    run_child("hangup", "kill -HUP $$; echo still here");
    sigprocmask(SIG_BLOCK, NULL, &set);
    print("mask of the parent unchanged: %d",
          sigismember(&set, SIGUSR1) && !sigismember(&set, SIGINT));
    print("close %s", code(close_loop(&loop)));
    return 0;
}
