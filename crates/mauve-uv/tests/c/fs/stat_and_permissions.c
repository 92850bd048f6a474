/* uv_fs_stat, utime, access, chmod and chown, and what an unprivileged user may do. */
#define AFTER print_stat()
#include "test.h"

static void print_stat(void);

#include "fs/temp_dir.h"

#include <math.h>
#include <sys/sysmacros.h>

static void print_stat(void) {
    uv_stat_t *s = fs.ptr;
    struct stat real;
    if (fs.fs_type != UV_FS_STAT && fs.fs_type != UV_FS_LSTAT && fs.fs_type != UV_FS_FSTAT) return;
    print("  ptr: %s", s == NULL ? "null" : s == &fs.statbuf ? "statbuf" : "other");
    if (s == NULL) return;
    print("  mode %o links %d size %d blocks %d uid %d gid %d flags %d gen %d", (int)s->st_mode,
          (int)s->st_nlink, (int)s->st_size, (int)s->st_blocks, (int)s->st_uid, (int)s->st_gid,
          (int)s->st_flags, (int)s->st_gen);
    print("  times %ld.%09ld %ld.%09ld", s->st_atim.tv_sec, s->st_atim.tv_nsec, s->st_mtim.tv_sec,
          s->st_mtim.tv_nsec);
    assert((fs.fs_type == UV_FS_LSTAT ? lstat : stat)(fs.path ? fs.path : "file", &real) == 0);
    print("  same as stat(2): %d", s->st_dev == real.st_dev && s->st_ino == real.st_ino &&
          s->st_rdev == real.st_rdev && s->st_blksize == (uint64_t)real.st_blksize &&
          s->st_ctim.tv_sec == real.st_ctim.tv_sec && s->st_ctim.tv_nsec == real.st_ctim.tv_nsec);
    print("  has birth time: %d", s->st_birthtim.tv_sec > 1000000000);
}

int main(void) {
    enter_temp_dir();
    write_file("file", "0123456789", 0640);
    mkdir("dir", 0750);
    assert(symlink("file", "link") == 0);
    int fd = open("file", O_RDWR);

    /* Times that libuv 1.44 and 1.52 both store exactly. */
    const double times[] = {0, 1.5, 1700000000.25, -1, -0.5, 4294967296.75};
    for (size_t i = 0; i < COUNT(times); i++) {
        print("time %.2f", times[i]);
        BOTH("utime", uv_fs_utime(&loop, &fs, "file", times[i], times[i] + 1, cb));
        BOTH("stat", uv_fs_stat(&loop, &fs, "file", cb));
        BOTH("futime", uv_fs_futime(&loop, &fs, fd, times[i] + 2, times[i], cb));
        BOTH("fstat", uv_fs_fstat(&loop, &fs, fd, cb));
        BOTH("lutime", uv_fs_lutime(&loop, &fs, "link", times[i], times[i] + 3, cb));
        BOTH("lstat", uv_fs_lstat(&loop, &fs, "link", cb));
    }
    BOTH("utime of nothing", uv_fs_utime(&loop, &fs, "no", 1, 1, cb));
    BOTH("lutime of nothing", uv_fs_lutime(&loop, &fs, "no", 1, 1, cb));
    BOTH("futime of nothing", uv_fs_futime(&loop, &fs, -1, 1, 1, cb));
    BOTH("too late", uv_fs_utime(&loop, &fs, "file", 1e300, 1e300, cb));

    BOTH("stat of nothing", uv_fs_stat(&loop, &fs, "no", cb));
    BOTH("stat in a file", uv_fs_stat(&loop, &fs, "file/no", cb));
    BOTH("stat of an empty name", uv_fs_stat(&loop, &fs, "", cb));
    BOTH("fstat of nothing", uv_fs_fstat(&loop, &fs, -1, cb));
    BOTH("fstat of no descriptor", uv_fs_fstat(&loop, &fs, 12345, cb));

    BOTH("access", uv_fs_access(&loop, &fs, "file", R_OK, cb));
    BOTH("access, exists", uv_fs_access(&loop, &fs, "file", F_OK, cb));
    BOTH("access, execute", uv_fs_access(&loop, &fs, "file", X_OK, cb));
    BOTH("access, nonsense", uv_fs_access(&loop, &fs, "file", 1234, cb));
    BOTH("access of nothing", uv_fs_access(&loop, &fs, "no", R_OK, cb));
    BOTH("chmod", uv_fs_chmod(&loop, &fs, "link", 04711, cb));
    print_file("file");
    BOTH("chmod of nothing", uv_fs_chmod(&loop, &fs, "no", 0600, cb));
    BOTH("fchmod", uv_fs_fchmod(&loop, &fs, fd, 0604, cb));
    print_file("file");
    BOTH("fchmod of nothing", uv_fs_fchmod(&loop, &fs, 12345, 0604, cb));
    BOTH("chown to itself", uv_fs_chown(&loop, &fs, "file", -1, -1, cb));
    BOTH("chown", uv_fs_chown(&loop, &fs, "file", getuid(), getgid(), cb));
    BOTH("fchown", uv_fs_fchown(&loop, &fs, fd, getuid(), -1, cb));
    BOTH("lchown", uv_fs_lchown(&loop, &fs, "link", -1, getgid(), cb));
    BOTH("chown of nothing", uv_fs_chown(&loop, &fs, "no", 0, 0, cb));
    BOTH("lchown of nothing", uv_fs_lchown(&loop, &fs, "no", 0, 0, cb));
    BOTH("fchown of nothing", uv_fs_fchown(&loop, &fs, -1, 0, 0, cb));
    close(fd);

    /* Permission errors. Root has none, so it becomes another user. */
    chmod("dir", 0700), chmod("file", 0600), chmod(".", 0755);
    if (getuid() == 0) {
        assert(setegid(65534) == 0 && seteuid(65534) == 0);
        BOTH("open without permission", uv_fs_open(&loop, &fs, "file", O_RDONLY, 0, cb));
        BOTH("scandir without permission", uv_fs_scandir(&loop, &fs, "dir", 0, cb));
        BOTH("stat without permission", uv_fs_stat(&loop, &fs, "dir/x", cb));
        BOTH("mkdir without permission", uv_fs_mkdir(&loop, &fs, "mine", 0755, cb));
        BOTH("chown without permission", uv_fs_chown(&loop, &fs, "file", 65534, 65534, cb));
        BOTH("chmod without permission", uv_fs_chmod(&loop, &fs, "file", 0666, cb));
        BOTH("utime without permission", uv_fs_utime(&loop, &fs, "file", 1, 1, cb));
        BOTH("copyfile without permission", uv_fs_copyfile(&loop, &fs, "file", "copy", 0, cb));
        assert(seteuid(0) == 0 && setegid(0) == 0);
    }
    return 0;
}
