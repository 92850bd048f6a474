/* close fails with EIO, as file systems do that report write errors late: uv_fs_copyfile fails and
 * removes the copy. */
#include "fs/temp_dir.h"

#include "seccomp.h"

int main(void) {
    enter_temp_dir();
    write_file("file", "text", 0600);
    fail_syscall(SYS_close, 0, EIO);
    print("copy: %s", result_name(uv_fs_copyfile(NULL, &fs, "file", "copy", 0, NULL)));
    print("is there: %d", access("copy", F_OK) == 0);
    return 0;
}
