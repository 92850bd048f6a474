/* Many reads in one turn: from memory and from the disk, at the end, and of what cannot be read. */
#include "fs/read_batch.h"

#include <sys/wait.h>

static void report(const char *what) {
    say("%s: %d told", what, told);
    for (int i = 0; i < count; i++)
        say("  %d: %s%s", i, outcome(readings[i].result), is_right(&readings[i]) ? ", right" : "");
    forget_reads();
}

static void pages_of(int fd) {
    for (int i = 0; i < DEPTH; i++) want(fd, i * PAGE, PAGE);
}

static int in_child(int fd) {
    assert(uv_loop_fork(&loop) == 0);
    pages_of(fd);
    read_with(begin_reads);
    report("in a forked child");
    return 0;
}

int main(void) {
    enter_folder();
    int fd = make_file("file", 0), other = make_file("other", 0);

    pages_of(fd);
    read_with(begin_reads);
    report("cached");

    /* None of it, then the first half of it, is in memory. */
    for (int kept = 0; kept < 2; kept++) {
        posix_fadvise(fd, kept * 16 * PAGE, 0, POSIX_FADV_DONTNEED);
        pages_of(fd);
        want(fd, 14 * PAGE, 5 * PAGE);
        read_with(begin_reads);
        report(kept ? "half cached" : "not cached");
    }

    /* Around the end. */
    for (int i = 0; i < 8; i++) want(fd, (PAGES - 1) * PAGE + i * 600, 1000);
    want(fd, 1 << 30, 10);
    want(fd, INT64_MAX, 10);
    read_with(begin_reads);
    report("at the end");

    for (int i = 0; i < 12; i++) want(i % 2 ? fd : other, i * 100, 50 + i);
    read_with(begin_reads);
    report("two files in turn");

    for (int i = 0; i < 4; i++) want(fd, i, 10);
    want(fd, 0, 0);
    want(fd, 100, 65536);
    want(fd, 100, 65537);
    want(fd, 0, sizeof contents + 1);
    for (int i = 0; i < 4; i++) want(fd, i, 10);
    read_with(begin_reads);
    report("small and large");

    /* What cannot be read, and among it what can. */
    int ends[2], written = open("file", O_WRONLY), here = open(".", O_RDONLY);
    assert(pipe(ends) == 0 && write(ends[1], "in the pipe", 11) == 11);
    const int bad[] = {-1, 9999, written, here, ends[0], ends[1]};
    for (size_t i = 0; i < COUNT(bad); i++)
        for (int times = 0; times < 5; times++) want(times == 2 ? fd : bad[i], times, 10);
    read_with(begin_reads);
    report("bad files");
    char left[20];
    say("still in the pipe: %d", (int)read(ends[0], left, sizeof left));

    /* A file that is read from its disk, by those who can: with aligned memory. */
    int direct = open("file", O_RDONLY | O_DIRECT);
    if (direct < 0) direct = dup(fd);
    char *pages;
    assert(posix_memalign((void **)&pages, PAGE, DEPTH * PAGE) == 0);
    pages_of(direct);
    for (int i = 0; i < DEPTH; i++) {
        free(readings[i].buffer.base - 1);
        readings[i].buffer.base = pages + i * PAGE;
    }
    read_with(begin_reads);
    say("around the cache: %d told, right %d", told, all_right());
    count = 0;
    free(pages);

    pid_t pid = fork();
    if (pid == 0) _exit(in_child(fd));
    int status;
    assert(waitpid(pid, &status, 0) == pid);
    say("child: %d", status);
    pages_of(fd);
    read_with(begin_reads);
    report("after the fork");
    say("close: %s", code(uv_loop_close(&loop)));
    return 0;
}
