/* Making, renaming and removing names; what stands in the way of it. */
#include "fs/folder.h"

static char path[8192];

static char *of_length(size_t length, const char *between) {
    path[0] = 0;
    while (strlen(path) + strlen(between) + 8 < length) strcat(strcat(path, "."), between);
    size_t at = strlen(path);
    memset(path + at, 'n', length - at);
    path[length] = 0;
    return path;
}

int main(void) {
    enter_folder();
    put("file", "text", 0644);
    mkdir("folder", 0755);
    assert(symlink("loop", "loop") == 0 && symlink("file", "link") == 0);
    assert(symlink("nowhere", "dangling") == 0);

    BOTH("mkdir", uv_fs_mkdir(&loop, &fs, "made", 0750, cb));
    BOTH("mkdir over a file", uv_fs_mkdir(&loop, &fs, "file", 0755, cb));
    BOTH("mkdir in nothing", uv_fs_mkdir(&loop, &fs, "no/made", 0755, cb));
    BOTH("mkdir in a file", uv_fs_mkdir(&loop, &fs, "file/made", 0755, cb));
    BOTH("mkdir of an empty name", uv_fs_mkdir(&loop, &fs, "", 0755, cb));
    BOTH("mkdir in a loop", uv_fs_mkdir(&loop, &fs, "loop/made", 0755, cb));
    BOTH("rmdir", uv_fs_rmdir(&loop, &fs, "made", cb));
    BOTH("rmdir of a file", uv_fs_rmdir(&loop, &fs, "file", cb));
    BOTH("rmdir of a dot", uv_fs_rmdir(&loop, &fs, ".", cb));
    put("folder/inner", "", 0600);
    BOTH("rmdir of a full one", uv_fs_rmdir(&loop, &fs, "folder", cb));
    BOTH("unlink", uv_fs_unlink(&loop, &fs, "folder/inner", cb));
    BOTH("unlink of a folder", uv_fs_unlink(&loop, &fs, "folder", cb));
    BOTH("unlink of nothing", uv_fs_unlink(&loop, &fs, "no", cb));
    BOTH("unlink in a loop", uv_fs_unlink(&loop, &fs, "loop/x", cb));

    BOTH("rename", uv_fs_rename(&loop, &fs, "file", "moved", cb));
    BOTH("rename back", uv_fs_rename(&loop, &fs, "moved", "file", cb));
    BOTH("rename onto itself", uv_fs_rename(&loop, &fs, "file", "file", cb));
    BOTH("rename onto a folder", uv_fs_rename(&loop, &fs, "file", "folder", cb));
    BOTH("rename a folder onto a file", uv_fs_rename(&loop, &fs, "folder", "file", cb));
    BOTH("rename into itself", uv_fs_rename(&loop, &fs, "folder", "folder/x", cb));
    BOTH("rename to nowhere", uv_fs_rename(&loop, &fs, "file", "no/file", cb));

    BOTH("link", uv_fs_link(&loop, &fs, "file", "other", cb));
    BOTH("link of a folder", uv_fs_link(&loop, &fs, "folder", "x", cb));
    BOTH("link of nothing", uv_fs_link(&loop, &fs, "no", "x", cb));
    BOTH("link of a link", uv_fs_link(&loop, &fs, "dangling", "x", cb));
    BOTH("symlink", uv_fs_symlink(&loop, &fs, "file", "s", 0, cb));
    BOTH("symlink of nothing", uv_fs_symlink(&loop, &fs, "", "t", 0, cb));
    BOTH("open a loop", uv_fs_open(&loop, &fs, "loop", O_RDONLY, 0, cb));
    BOTH("open a link", uv_fs_open(&loop, &fs, "link", O_RDONLY | O_NOFOLLOW, 0, cb));
    BOTH("open a file as folder", uv_fs_open(&loop, &fs, "file", O_DIRECTORY, 0, cb));
    BOTH("open a folder to write", uv_fs_open(&loop, &fs, "folder", O_WRONLY, 0, cb));
    BOTH("open exclusively", uv_fs_open(&loop, &fs, "file", O_CREAT | O_EXCL, 0600, cb));

    BOTH("255 bytes", uv_fs_mkdir(&loop, &fs, of_length(255, ""), 0755, cb));
    BOTH("stat 255 bytes", uv_fs_stat(&loop, &fs, of_length(255, ""), cb));
    BOTH("256 bytes", uv_fs_mkdir(&loop, &fs, of_length(256, ""), 0755, cb));
    BOTH("stat 256 bytes", uv_fs_stat(&loop, &fs, of_length(256, ""), cb));
    BOTH("a path of 4095", uv_fs_mkdir(&loop, &fs, of_length(4095, "/"), 0755, cb));
    BOTH("stat a path of 4095", uv_fs_stat(&loop, &fs, of_length(4095, "/"), cb));
    BOTH("a path of 4096", uv_fs_mkdir(&loop, &fs, of_length(4096, "/"), 0755, cb));
    BOTH("realpath of 4096", uv_fs_realpath(&loop, &fs, of_length(4096, "/"), cb));
    BOTH("not UTF-8", uv_fs_mkdir(&loop, &fs, "\xff\xfe\x80", 0755, cb));
    BOTH("stat not UTF-8", uv_fs_stat(&loop, &fs, "\xff\xfe\x80", cb));
    BOTH("rename not UTF-8", uv_fs_rename(&loop, &fs, "\xff\xfe\x80", "\xc0", cb));
    return 0;
}
