/* Many reads in one callback: cached and not cached, at the end of the file, and of descriptors
 * that cannot be read. */
#include "fs/read_batch.h"

#include <sys/wait.h>

static void report(const char *what) {
    print("%s: %d completed", what, completed);
    for (int i = 0; i < count; i++)
        print("  %d: %s%s", i, result_name(requests[i].result),
              is_correct(&requests[i]) ? ", correct" : "");
    free_reads();
}

static void add_page_reads(int fd) {
    for (int i = 0; i < DEPTH; i++) add_read(fd, i * PAGE, PAGE);
}

static int in_child(int fd) {
    assert(uv_loop_fork(&loop) == 0);
    add_page_reads(fd);
    run_reads(submit_reads);
    report("in a forked child");
    return 0;
}

int main(void) {
    enter_temp_dir();
    int fd = make_file("file", 0), other = make_file("other", 0);

    add_page_reads(fd);
    run_reads(submit_reads);
    report("cached");

    /* First nothing of the file is cached, then its first half. */
    for (int kept = 0; kept < 2; kept++) {
        posix_fadvise(fd, kept * 16 * PAGE, 0, POSIX_FADV_DONTNEED);
        add_page_reads(fd);
        add_read(fd, 14 * PAGE, 5 * PAGE);
        run_reads(submit_reads);
        report(kept ? "half cached" : "not cached");
    }

    /* Around the end of the file. */
    for (int i = 0; i < 8; i++) add_read(fd, (PAGES - 1) * PAGE + i * 600, 1000);
    add_read(fd, 1 << 30, 10);
    add_read(fd, INT64_MAX, 10);
    run_reads(submit_reads);
    report("at the end");

    for (int i = 0; i < 12; i++) add_read(i % 2 ? fd : other, i * 100, 50 + i);
    run_reads(submit_reads);
    report("two files alternately");

    for (int i = 0; i < 4; i++) add_read(fd, i, 10);
    add_read(fd, 0, 0);
    add_read(fd, 100, 65536);
    add_read(fd, 100, 65537);
    add_read(fd, 0, sizeof contents + 1);
    for (int i = 0; i < 4; i++) add_read(fd, i, 10);
    run_reads(submit_reads);
    report("small and large");

    /* Descriptors that cannot be read, mixed with one that can. */
    int ends[2], written = open("file", O_WRONLY), here = open(".", O_RDONLY);
    assert(pipe(ends) == 0 && write(ends[1], "in the pipe", 11) == 11);
    const int bad[] = {-1, 9999, written, here, ends[0], ends[1]};
    for (size_t i = 0; i < COUNT(bad); i++)
        for (int times = 0; times < 5; times++) add_read(times == 2 ? fd : bad[i], times, 10);
    run_reads(submit_reads);
    report("bad descriptors");
    char left[20];
    print("still in the pipe: %d", (int)read(ends[0], left, sizeof left));

    /* O_DIRECT, where it is supported: needs aligned memory. */
    int direct = open("file", O_RDONLY | O_DIRECT);
    if (direct < 0) direct = dup(fd);
    char *pages;
    assert(posix_memalign((void **)&pages, PAGE, DEPTH * PAGE) == 0);
    add_page_reads(direct);
    for (int i = 0; i < DEPTH; i++) {
        free(requests[i].buffer.base - 1);
        requests[i].buffer.base = pages + i * PAGE;
    }
    run_reads(submit_reads);
    print("O_DIRECT: %d completed, correct %d", completed, all_correct());
    count = 0;
    free(pages);

    pid_t pid = fork();
    if (pid == 0) _exit(in_child(fd));
    int status;
    assert(waitpid(pid, &status, 0) == pid);
    print("child: %d", status);
    add_page_reads(fd);
    run_reads(submit_reads);
    report("after the fork");
    print("close: %s", code(uv_loop_close(&loop)));
    return 0;
}
