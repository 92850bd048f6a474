/* Where links lead. */
#define AFTER                                                                                   \
    if (fs.ptr != NULL)                                                                         \
        say("  %s", strncmp(fs.ptr, folder, strlen(folder)) == 0                                \
                        ? (char *)fs.ptr + strlen(folder)                                       \
                        : (char *)fs.ptr);                                                      \
    else                                                                                        \
        say("  nothing")
#include "fs/folder.h"

int main(void) {
    char deep[4096] = "", target[4096];

    enter_folder();
    memset(target, 't', 4095);
    target[4095] = 0;
    put("file", "", 0600);
    mkdir("folder", 0755);
    assert(symlink("../file", "folder/up") == 0 && symlink("loop", "loop") == 0);
    assert(symlink(target, "long") == 0 && symlink("nowhere", "dangling") == 0);

    BOTH("readlink", uv_fs_readlink(&loop, &fs, "folder/up", cb));
    BOTH("readlink of a dangling one", uv_fs_readlink(&loop, &fs, "dangling", cb));
    BOTH("readlink of a loop", uv_fs_readlink(&loop, &fs, "loop", cb));
    BOTH("readlink of a long one", uv_fs_readlink(&loop, &fs, "long", cb));
    BOTH("readlink of a file", uv_fs_readlink(&loop, &fs, "file", cb));
    BOTH("readlink of nothing", uv_fs_readlink(&loop, &fs, "no", cb));
    BOTH("readlink in a file", uv_fs_readlink(&loop, &fs, "file/no", cb));

    BOTH("realpath", uv_fs_realpath(&loop, &fs, "folder/up", cb));
    BOTH("realpath with dots", uv_fs_realpath(&loop, &fs, "./folder/.././folder/", cb));
    BOTH("realpath of the root", uv_fs_realpath(&loop, &fs, "//", cb));
    BOTH("realpath of nothing", uv_fs_realpath(&loop, &fs, "no", cb));
    BOTH("realpath of an empty name", uv_fs_realpath(&loop, &fs, "", cb));
    BOTH("realpath of a dangling one", uv_fs_realpath(&loop, &fs, "dangling", cb));
    BOTH("realpath of a loop", uv_fs_realpath(&loop, &fs, "loop", cb));
    BOTH("realpath in a file", uv_fs_realpath(&loop, &fs, "file/x", cb));

    /* A chain of folders, as deep as one path can tell. */
    while (strlen(deep) + strlen(folder) + 110 < sizeof deep) {
        char name[102] = "";
        memset(name, 'd', 100);
        strcat(strcat(deep, name), "/");
        assert(mkdir(deep, 0755) == 0);
    }
    BOTH("realpath of a deep one", uv_fs_realpath(&loop, &fs, deep, cb));
    return 0;
}
