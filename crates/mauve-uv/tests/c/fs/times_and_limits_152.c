/* needs: 1.52 */
/* New since Debian's version: NAN and INFINITY as times, nanoseconds, limits of uv_fs_write. A
 * read of cached data completes in the loop, not in the call. */
#include "fs/temp_dir.h"

#include <math.h>
#include <time.h>

static int order[8], at;

static void on_read(uv_fs_t *request) {
    EXPECT(request->result, 4);
    EXPECT(uv_cancel((uv_req_t *)request), UV_EBUSY);
    order[at++] = 'r';
    uv_fs_req_cleanup(request);
}

static void on_prepare(uv_prepare_t *prepare) {
    static char bytes[4];
    uv_buf_t buffer = uv_buf_init(bytes, sizeof bytes);
    order[at++] = 'p';
    EXPECT(uv_fs_read(prepare->loop, &fs, *(int *)prepare->data, &buffer, 1, 0, on_read), 0);
    EXPECT(uv_loop_alive(prepare->loop), 1);
    uv_prepare_stop(prepare);
}

int main(void) {
    struct stat info;
    char *memory = temp_dir;
    uv_buf_t large[2] = {{memory, 0x7ffff000}, {memory, 1}};

    enter_temp_dir();
    write_file("file", "text", 0644);
    int fd = open("file", O_RDWR);

    EXPECT(uv_fs_utime(NULL, &fs, "file", 0.123456789, 1700000000.5, NULL), 0);
    EXPECT(stat("file", &info), 0);
    EXPECT(info.st_atim.tv_nsec, 123456789);
    EXPECT(uv_fs_futime(NULL, &fs, fd, NAN, 2, NULL), 0);
    EXPECT(stat("file", &info), 0);
    EXPECT(info.st_atim.tv_nsec, 123456789);
    EXPECT(info.st_mtim.tv_sec, 2);
    EXPECT(uv_fs_lutime(NULL, &fs, "file", INFINITY, NAN, NULL), 0);
    EXPECT(stat("file", &info), 0);
    EXPECT(labs(info.st_atim.tv_sec - time(NULL)) < 10, 1);
    EXPECT(info.st_mtim.tv_sec, 2);

    /* A copy has the owner and the access time of its source, as far as permitted. */
    double an_hour_ago = time(NULL) - 3600;
    EXPECT(uv_fs_utime(NULL, &fs, "file", an_hour_ago, an_hour_ago - 10, NULL), 0);
    if (geteuid() == 0) EXPECT(chown("file", 1234, 4321), 0);
    EXPECT(chmod("file", 0751), 0);
    EXPECT(uv_fs_copyfile(NULL, &fs, "file", "copy", 0, NULL), 0);
    EXPECT(stat("copy", &info), 0);
    EXPECT(info.st_atim.tv_sec, an_hour_ago);
    EXPECT(info.st_mode & 07777, 0751);
    EXPECT(info.st_uid, geteuid() == 0 ? 1234 : geteuid());

    EXPECT(uv_fs_write(NULL, &fs, fd, large, 2, 0, NULL), UV_EINVAL);
    EXPECT(uv_fs_sendfile(NULL, &fs, fd, fd, 0, 0x7ffff001, NULL), UV_EINVAL);
    EXPECT(fs.result, 0);

    uv_prepare_t prepare;
    uv_prepare_init(&loop, &prepare);
    prepare.data = &fd;
    uv_prepare_start(&prepare, on_prepare);
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT(order[0], 'p');
    EXPECT(order[1], 'r');
    EXPECT(at, 2);
    EXPECT(close_loop(&loop), 0);
    return 0;
}
