/* uv_fs_copyfile and uv_fs_sendfile: which files are replaced, kept or removed. */
#include "fs/temp_dir.h"

static char block[1 << 20], read_back[1 << 20];

int main(void) {
    enter_temp_dir();
    write_file("from", "hello", 0640);
    write_file("other", "other", 0604);
    mkdir("dir", 0755), mkdir("second", 0755);
    assert(link("from", "same") == 0 && symlink("target", "dangling") == 0);

    BOTH("new", uv_fs_copyfile(&loop, &fs, "from", "new", 0, cb));
    print_file("new");
    BOTH("existing", uv_fs_copyfile(&loop, &fs, "from", "other", 0, cb));
    print_file("other");
    BOTH("exclusive", uv_fs_copyfile(&loop, &fs, "from", "other", UV_FS_COPYFILE_EXCL, cb));
    BOTH("itself", uv_fs_copyfile(&loop, &fs, "from", "from", 0, cb));
    BOTH("itself by another name", uv_fs_copyfile(&loop, &fs, "from", "same", 0, cb));
    BOTH("itself exclusively", uv_fs_copyfile(&loop, &fs, "from", "from", 1, cb));
    print_file("from");
    BOTH("a directory", uv_fs_copyfile(&loop, &fs, "dir", "x", 0, cb));
    print_file("x");
    BOTH("a directory over a file", uv_fs_copyfile(&loop, &fs, "dir", "other", 0, cb));
    print_file("other");
    BOTH("over a directory", uv_fs_copyfile(&loop, &fs, "from", "dir", 0, cb));
    BOTH("a directory over a directory", uv_fs_copyfile(&loop, &fs, "dir", "second", 0, cb));
    BOTH("missing source", uv_fs_copyfile(&loop, &fs, "no", "new", 0, cb));
    print_file("new");
    BOTH("missing directory", uv_fs_copyfile(&loop, &fs, "from", "no/new", 0, cb));
    BOTH("with FICLONE", uv_fs_copyfile(&loop, &fs, "from", "clone", UV_FS_COPYFILE_FICLONE, cb));
    print_file("clone");
    BOTH("through a symlink", uv_fs_copyfile(&loop, &fs, "from", "dangling", 0, cb));
    print_file("target");
    BOTH("a device", uv_fs_copyfile(&loop, &fs, "/dev/null", "null", 0, cb));
    BOTH("unknown flags", uv_fs_copyfile(&loop, &fs, "from", "new", 8, cb));
    print("  path %d", fs.path == NULL);
    chmod("from", 06755);
    BOTH("with setuid and setgid", uv_fs_copyfile(&loop, &fs, "from", "rights", 0, cb));
    print_file("rights");
    chmod("from", 0400);
    BOTH("of a read-only file", uv_fs_copyfile(&loop, &fs, "from", "readable", 0, cb));
    print_file("readable");

    int large = open("large", O_CREAT | O_RDWR, 0644);
    for (size_t i = 0; i < sizeof block; i++) block[i] = i * 31 >> 3;
    for (int i = 0; i < 5; i++) assert(write(large, block, sizeof block) == sizeof block);
    BOTH("large", uv_fs_copyfile(&loop, &fs, "large", "larger", 0, cb));
    int copy = open("larger", O_RDONLY);
    for (int i = 0; i < 5; i++)
        print("  same: %d", read(copy, read_back, sizeof read_back) == sizeof read_back &&
                                !memcmp(block, read_back, sizeof read_back));
    BOTH("small over large", uv_fs_copyfile(&loop, &fs, "from", "larger", 0, cb));
    print_file("larger");

    int in = open("from", O_RDONLY), out = open("out", O_CREAT | O_RDWR, 0644), ends[2];
    int here = open(".", O_RDONLY), end = open("out", O_WRONLY | O_APPEND);
    BOTH("send", uv_fs_sendfile(&loop, &fs, out, in, 0, 100, cb));
    BOTH("send from an offset", uv_fs_sendfile(&loop, &fs, out, in, 3, 100, cb));
    BOTH("send from behind the end of file", uv_fs_sendfile(&loop, &fs, out, in, 9, 100, cb));
    BOTH("send from a negative offset", uv_fs_sendfile(&loop, &fs, out, in, -1, 100, cb));
    BOTH("send nothing", uv_fs_sendfile(&loop, &fs, out, in, 0, 0, cb));
    BOTH("send a large range", uv_fs_sendfile(&loop, &fs, out, large, 1, 3 << 20, cb));
    print("  at %d and %d", (int)lseek(in, 0, SEEK_CUR), (int)lseek(out, 0, SEEK_CUR));
    BOTH("send to a bad descriptor", uv_fs_sendfile(&loop, &fs, -1, in, 0, 1, cb));
    BOTH("send from a bad descriptor", uv_fs_sendfile(&loop, &fs, out, -1, 0, 1, cb));
    BOTH("send to a read-only descriptor", uv_fs_sendfile(&loop, &fs, in, large, 0, 1, cb));
    BOTH("send from a directory", uv_fs_sendfile(&loop, &fs, out, here, 0, 1, cb));
    BOTH("send to a directory", uv_fs_sendfile(&loop, &fs, here, in, 0, 1, cb));
    BOTH("send to an appending descriptor", uv_fs_sendfile(&loop, &fs, end, in, 0, 3, cb));
    assert(pipe(ends) == 0);
    BOTH("send to a pipe", uv_fs_sendfile(&loop, &fs, ends[1], in, 1, 3, cb));
    BOTH("send from a pipe", uv_fs_sendfile(&loop, &fs, out, ends[0], 0, 3, cb));
    BOTH("send to a full disk", uv_fs_sendfile(&loop, &fs, open("/dev/full", O_WRONLY), in, 0, 3, cb));
    print("  %d bytes", (int)lseek(out, 0, SEEK_END));
    return 0;
}
