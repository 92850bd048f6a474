/* A child begins with no signal blocked and none ignored, whatever its parent does. */
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
    say("ours is as it was: %d", sigismember(&set, SIGUSR1) && !sigismember(&set, SIGINT));
    say("close %s", code(finish(&loop)));
    return 0;
}
