/* needs: mauve */
/* uv_fs_copyfile copies the contents of a file whose size is 0, as in /proc. When it fails, it
 * does not remove a destination that is not a regular file. */
#include "fs/temp_dir.h"

int main(void) {
    struct stat info;
    enter_temp_dir();
    EXPECT(uv_fs_copyfile(NULL, &fs, "/proc/self/status", "status", 0, NULL), 0);
    uv_fs_req_cleanup(&fs);
    EXPECT(stat("status", &info), 0);
    EXPECT(info.st_size > 100, 1);

    EXPECT(mkfifo("fifo", 0600), 0);
    int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    EXPECT(reader >= 0, 1);
    EXPECT(uv_fs_copyfile(NULL, &fs, "status", "fifo", 0, NULL) < 0, 1);
    uv_fs_req_cleanup(&fs);
    EXPECT(stat("fifo", &info), 0);
    EXPECT(S_ISFIFO(info.st_mode), 1);
    return 0;
}
