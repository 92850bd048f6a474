/* The env and cwd options, and where the program is searched. */
#include "child.h"

int main(void) {
    char *bad_path[] = {"X=1", "PATH=/nowhere", NULL};
    char *good_path[] = {"X=2", "PATH=/nowhere:/bin", NULL};
    char *no_path[] = {"X=3", NULL};

    prepare_child();
    run_child("inherited environment", "echo \"  ${PATH:+PATH is set}\"");
    options.env = bad_path;
    run_child("PATH without the program", "echo $X");
    options.env = good_path;
    run_child("PATH with the program", "echo \"  $X $PATH\"");
    options.env = no_path;
    run_child("no PATH", "echo \"  $X\"");
    options.file = "/bin/sh";
    options.env = bad_path;
    run_child("absolute path", "echo \"  $X\"");
    options.cwd = "/";
    run_child("cwd", "pwd");
    print("close %s", code(close_loop(&loop)));
    return 0;
}
