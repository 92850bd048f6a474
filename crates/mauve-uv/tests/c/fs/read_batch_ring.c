/* needs: mauve */
/* A loop has a ring when it has many reads in one turn, and gives it back. */
#include "fs/read_batch.h"

int main(void) {
    enter_folder();
    int fd = make_file("file", 0);
    /* Some machines have none to give. */
    struct { unsigned numbers[30]; } parameters = {{0}};
    int possible = (int)syscall(SYS_io_uring_setup, 1, &parameters);
    if (possible >= 0) close(possible);

    for (int i = 0; i < 3; i++) {
        want(fd, i * PAGE, PAGE);
        read_with(begin_reads);
        assert(all_right() && rings() == 0);
    }
    for (int i = count; i < DEPTH; i++) want(fd, i * PAGE, PAGE);
    for (int times = 0; times < 3; times++) {
        read_with(begin_reads);
        assert(all_right() && in_order && rings() == (possible >= 0));
    }
    /* More than a ring takes at once. */
    for (int i = count; i < 3 * DEPTH; i++) want(fd, i * 100, 300);
    read_with(begin_reads);
    assert(all_right() && in_order && rings() == (possible >= 0));
    forget_reads();
    assert(uv_loop_close(&loop) == 0 && rings() == 0);
    return 0;
}
