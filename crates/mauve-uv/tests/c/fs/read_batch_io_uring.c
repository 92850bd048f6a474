/* needs: mauve */
/* A loop opens an io_uring when it has many reads in one callback, and closes it with the loop. */
#include "fs/read_batch.h"

int main(void) {
    enter_temp_dir();
    int fd = make_file("file", 0);
    /* Some systems do not permit io_uring. */
    struct { unsigned numbers[30]; } parameters = {{0}};
    int possible = (int)syscall(SYS_io_uring_setup, 1, &parameters);
    if (possible >= 0) close(possible);

    for (int i = 0; i < 3; i++) {
        add_read(fd, i * PAGE, PAGE);
        run_reads(submit_reads);
        assert(all_correct() && count_rings() == 0);
    }
    for (int i = count; i < DEPTH; i++) add_read(fd, i * PAGE, PAGE);
    for (int times = 0; times < 3; times++) {
        run_reads(submit_reads);
        assert(all_correct() && in_order && count_rings() == (possible >= 0));
    }
    /* More reads than the submission queue has entries. */
    for (int i = count; i < 3 * DEPTH; i++) add_read(fd, i * 100, 300);
    run_reads(submit_reads);
    assert(all_correct() && in_order && count_rings() == (possible >= 0));
    free_reads();
    assert(uv_loop_close(&loop) == 0 && count_rings() == 0);
    return 0;
}
