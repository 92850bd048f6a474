/* Copies: what is replaced, what is kept, what is removed. */
#include "fs/folder.h"

static char block[1 << 20], back[1 << 20];

int main(void) {
    enter_folder();
    put("from", "hello", 0640);
    put("other", "other", 0604);
    mkdir("folder", 0755), mkdir("second", 0755);
    assert(link("from", "same") == 0 && symlink("target", "dangling") == 0);

    BOTH("new", uv_fs_copyfile(&loop, &fs, "from", "new", 0, cb));
    show("new");
    BOTH("existing", uv_fs_copyfile(&loop, &fs, "from", "other", 0, cb));
    show("other");
    BOTH("exclusive", uv_fs_copyfile(&loop, &fs, "from", "other", UV_FS_COPYFILE_EXCL, cb));
    BOTH("itself", uv_fs_copyfile(&loop, &fs, "from", "from", 0, cb));
    BOTH("itself by another name", uv_fs_copyfile(&loop, &fs, "from", "same", 0, cb));
    BOTH("itself exclusively", uv_fs_copyfile(&loop, &fs, "from", "from", 1, cb));
    show("from");
    BOTH("a folder", uv_fs_copyfile(&loop, &fs, "folder", "x", 0, cb));
    show("x");
    BOTH("a folder over a file", uv_fs_copyfile(&loop, &fs, "folder", "other", 0, cb));
    show("other");
    BOTH("over a folder", uv_fs_copyfile(&loop, &fs, "from", "folder", 0, cb));
    BOTH("a folder over a folder", uv_fs_copyfile(&loop, &fs, "folder", "second", 0, cb));
    BOTH("nothing", uv_fs_copyfile(&loop, &fs, "no", "new", 0, cb));
    show("new");
    BOTH("to nowhere", uv_fs_copyfile(&loop, &fs, "from", "no/new", 0, cb));
    BOTH("if it can be cloned", uv_fs_copyfile(&loop, &fs, "from", "clone", UV_FS_COPYFILE_FICLONE, cb));
    show("clone");
    BOTH("through a link", uv_fs_copyfile(&loop, &fs, "from", "dangling", 0, cb));
    show("target");
    BOTH("a device", uv_fs_copyfile(&loop, &fs, "/dev/null", "null", 0, cb));
    BOTH("unknown flags", uv_fs_copyfile(&loop, &fs, "from", "new", 8, cb));
    say("  path %d", fs.path == NULL);
    chmod("from", 06755);
    BOTH("with more rights", uv_fs_copyfile(&loop, &fs, "from", "rights", 0, cb));
    show("rights");
    chmod("from", 0400);
    BOTH("to a file that may only be read", uv_fs_copyfile(&loop, &fs, "from", "readable", 0, cb));
    show("readable");

    int large = open("large", O_CREAT | O_RDWR, 0644);
    for (size_t i = 0; i < sizeof block; i++) block[i] = i * 31 >> 3;
    for (int i = 0; i < 5; i++) assert(write(large, block, sizeof block) == sizeof block);
    BOTH("much", uv_fs_copyfile(&loop, &fs, "large", "larger", 0, cb));
    int copy = open("larger", O_RDONLY);
    for (int i = 0; i < 5; i++)
        say("  same: %d", read(copy, back, sizeof back) == sizeof back && !memcmp(block, back, sizeof back));
    BOTH("less over much", uv_fs_copyfile(&loop, &fs, "from", "larger", 0, cb));
    show("larger");

    int in = open("from", O_RDONLY), out = open("out", O_CREAT | O_RDWR, 0644), ends[2];
    int here = open(".", O_RDONLY), end = open("out", O_WRONLY | O_APPEND);
    BOTH("send", uv_fs_sendfile(&loop, &fs, out, in, 0, 100, cb));
    BOTH("send the end", uv_fs_sendfile(&loop, &fs, out, in, 3, 100, cb));
    BOTH("send from behind the end", uv_fs_sendfile(&loop, &fs, out, in, 9, 100, cb));
    BOTH("send from before the beginning", uv_fs_sendfile(&loop, &fs, out, in, -1, 100, cb));
    BOTH("send nothing", uv_fs_sendfile(&loop, &fs, out, in, 0, 0, cb));
    BOTH("send much", uv_fs_sendfile(&loop, &fs, out, large, 1, 3 << 20, cb));
    say("  at %d and %d", (int)lseek(in, 0, SEEK_CUR), (int)lseek(out, 0, SEEK_CUR));
    BOTH("send to nothing", uv_fs_sendfile(&loop, &fs, -1, in, 0, 1, cb));
    BOTH("send from nothing", uv_fs_sendfile(&loop, &fs, out, -1, 0, 1, cb));
    BOTH("send to where only reading is", uv_fs_sendfile(&loop, &fs, in, large, 0, 1, cb));
    BOTH("send from a folder", uv_fs_sendfile(&loop, &fs, out, here, 0, 1, cb));
    BOTH("send to a folder", uv_fs_sendfile(&loop, &fs, here, in, 0, 1, cb));
    BOTH("send to the end", uv_fs_sendfile(&loop, &fs, end, in, 0, 3, cb));
    assert(pipe(ends) == 0);
    BOTH("send to a pipe", uv_fs_sendfile(&loop, &fs, ends[1], in, 1, 3, cb));
    BOTH("send from a pipe", uv_fs_sendfile(&loop, &fs, out, ends[0], 0, 3, cb));
    BOTH("send to a full disk", uv_fs_sendfile(&loop, &fs, open("/dev/full", O_WRONLY), in, 0, 3, cb));
    say("  %d bytes", (int)lseek(out, 0, SEEK_END));
    return 0;
}
