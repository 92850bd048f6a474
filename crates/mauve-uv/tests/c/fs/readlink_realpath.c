/* uv_fs_readlink and uv_fs_realpath. */
#define AFTER                                                                                   \
    if (fs.ptr != NULL)                                                                         \
        print("  %s", strncmp(fs.ptr, temp_dir, strlen(temp_dir)) == 0                          \
                        ? (char *)fs.ptr + strlen(temp_dir)                                     \
                        : (char *)fs.ptr);                                                      \
    else                                                                                        \
        print("  nothing")
#include "fs/temp_dir.h"

int main(void) {
    char deep[4096] = "", target[4096];

    enter_temp_dir();
    memset(target, 't', 4095);
    target[4095] = 0;
    write_file("file", "", 0600);
    mkdir("dir", 0755);
    assert(symlink("../file", "dir/up") == 0 && symlink("loop", "loop") == 0);
    assert(symlink(target, "long") == 0 && symlink("nowhere", "dangling") == 0);

    BOTH("readlink", uv_fs_readlink(&loop, &fs, "dir/up", cb));
    BOTH("readlink of a dangling link", uv_fs_readlink(&loop, &fs, "dangling", cb));
    BOTH("readlink of a loop", uv_fs_readlink(&loop, &fs, "loop", cb));
    BOTH("readlink of a long link", uv_fs_readlink(&loop, &fs, "long", cb));
    BOTH("readlink of a file", uv_fs_readlink(&loop, &fs, "file", cb));
    BOTH("readlink of a missing path", uv_fs_readlink(&loop, &fs, "no", cb));
    BOTH("readlink in a file", uv_fs_readlink(&loop, &fs, "file/no", cb));

    BOTH("realpath", uv_fs_realpath(&loop, &fs, "dir/up", cb));
    BOTH("realpath with dots", uv_fs_realpath(&loop, &fs, "./dir/.././dir/", cb));
    BOTH("realpath of the root", uv_fs_realpath(&loop, &fs, "//", cb));
    BOTH("realpath of a missing path", uv_fs_realpath(&loop, &fs, "no", cb));
    BOTH("realpath of an empty name", uv_fs_realpath(&loop, &fs, "", cb));
    BOTH("realpath of a dangling link", uv_fs_realpath(&loop, &fs, "dangling", cb));
    BOTH("realpath of a loop", uv_fs_realpath(&loop, &fs, "loop", cb));
    BOTH("realpath in a file", uv_fs_realpath(&loop, &fs, "file/x", cb));

    /* Nested directories, up to the longest path. */
    while (strlen(deep) + strlen(temp_dir) + 110 < sizeof deep) {
        char name[102] = "";
        memset(name, 'd', 100);
        strcat(strcat(deep, name), "/");
        assert(mkdir(deep, 0755) == 0);
    }
    BOTH("realpath of a deep path", uv_fs_realpath(&loop, &fs, deep, cb));
    return 0;
}
