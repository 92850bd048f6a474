/* Where programs are looked for, and what they find around them. */
#include "child.h"

int main(void) {
    char *nowhere[] = {"X=1", "PATH=/nowhere", NULL};
    char *somewhere[] = {"X=2", "PATH=/nowhere:/bin", NULL};
    char *without[] = {"X=3", NULL};

    prepare_child();
    run_child("ours", "echo \"  ${PATH:+there is a path}\"");
    options.env = nowhere;
    run_child("a path that leads nowhere", "echo $X");
    options.env = somewhere;
    run_child("a path that leads somewhere", "echo \"  $X $PATH\"");
    options.env = without;
    run_child("no path", "echo \"  $X\"");
    options.file = "/bin/sh";
    options.env = nowhere;
    run_child("a whole path", "echo \"  $X\"");
    options.cwd = "/";
    run_child("elsewhere", "pwd");
    say("close %s", code(finish(&loop)));
    return 0;
}
