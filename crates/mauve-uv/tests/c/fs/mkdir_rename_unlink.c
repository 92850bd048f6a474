/* uv_fs_mkdir, rmdir, unlink, rename, link, symlink and open: their errors, and the longest names.
 * */
#include "fs/temp_dir.h"

static char path[8192];

static char *path_of_length(size_t length, const char *separator) {
    path[0] = 0;
    while (strlen(path) + strlen(separator) + 8 < length) strcat(strcat(path, "."), separator);
    size_t at = strlen(path);
    memset(path + at, 'n', length - at);
    path[length] = 0;
    return path;
}

int main(void) {
    enter_temp_dir();
    write_file("file", "text", 0644);
    mkdir("dir", 0755);
    assert(symlink("loop", "loop") == 0 && symlink("file", "link") == 0);
    assert(symlink("nowhere", "dangling") == 0);

    BOTH("mkdir", uv_fs_mkdir(&loop, &fs, "made", 0750, cb));
    BOTH("mkdir over a file", uv_fs_mkdir(&loop, &fs, "file", 0755, cb));
    BOTH("mkdir in a missing directory", uv_fs_mkdir(&loop, &fs, "no/made", 0755, cb));
    BOTH("mkdir in a file", uv_fs_mkdir(&loop, &fs, "file/made", 0755, cb));
    BOTH("mkdir of an empty name", uv_fs_mkdir(&loop, &fs, "", 0755, cb));
    BOTH("mkdir in a symlink loop", uv_fs_mkdir(&loop, &fs, "loop/made", 0755, cb));
    BOTH("rmdir", uv_fs_rmdir(&loop, &fs, "made", cb));
    BOTH("rmdir of a file", uv_fs_rmdir(&loop, &fs, "file", cb));
    BOTH("rmdir of a dot", uv_fs_rmdir(&loop, &fs, ".", cb));
    write_file("dir/inner", "", 0600);
    BOTH("rmdir of a directory that is not empty", uv_fs_rmdir(&loop, &fs, "dir", cb));
    BOTH("unlink", uv_fs_unlink(&loop, &fs, "dir/inner", cb));
    BOTH("unlink of a directory", uv_fs_unlink(&loop, &fs, "dir", cb));
    BOTH("unlink of a missing path", uv_fs_unlink(&loop, &fs, "no", cb));
    BOTH("unlink in a symlink loop", uv_fs_unlink(&loop, &fs, "loop/x", cb));

    BOTH("rename", uv_fs_rename(&loop, &fs, "file", "moved", cb));
    BOTH("rename back", uv_fs_rename(&loop, &fs, "moved", "file", cb));
    BOTH("rename onto itself", uv_fs_rename(&loop, &fs, "file", "file", cb));
    BOTH("rename onto a directory", uv_fs_rename(&loop, &fs, "file", "dir", cb));
    BOTH("rename a directory onto a file", uv_fs_rename(&loop, &fs, "dir", "file", cb));
    BOTH("rename into itself", uv_fs_rename(&loop, &fs, "dir", "dir/x", cb));
    BOTH("rename to a missing directory", uv_fs_rename(&loop, &fs, "file", "no/file", cb));

    BOTH("link", uv_fs_link(&loop, &fs, "file", "other", cb));
    BOTH("link of a directory", uv_fs_link(&loop, &fs, "dir", "x", cb));
    BOTH("link of a missing path", uv_fs_link(&loop, &fs, "no", "x", cb));
    BOTH("link of a link", uv_fs_link(&loop, &fs, "dangling", "x", cb));
    BOTH("symlink", uv_fs_symlink(&loop, &fs, "file", "s", 0, cb));
    BOTH("symlink of a missing path", uv_fs_symlink(&loop, &fs, "", "t", 0, cb));
    BOTH("open a symlink loop", uv_fs_open(&loop, &fs, "loop", O_RDONLY, 0, cb));
    BOTH("open a link", uv_fs_open(&loop, &fs, "link", O_RDONLY | O_NOFOLLOW, 0, cb));
    BOTH("open a file with O_DIRECTORY", uv_fs_open(&loop, &fs, "file", O_DIRECTORY, 0, cb));
    BOTH("open a directory to write", uv_fs_open(&loop, &fs, "dir", O_WRONLY, 0, cb));
    BOTH("open exclusively", uv_fs_open(&loop, &fs, "file", O_CREAT | O_EXCL, 0600, cb));

    BOTH("255 bytes", uv_fs_mkdir(&loop, &fs, path_of_length(255, ""), 0755, cb));
    BOTH("stat 255 bytes", uv_fs_stat(&loop, &fs, path_of_length(255, ""), cb));
    BOTH("256 bytes", uv_fs_mkdir(&loop, &fs, path_of_length(256, ""), 0755, cb));
    BOTH("stat 256 bytes", uv_fs_stat(&loop, &fs, path_of_length(256, ""), cb));
    BOTH("a path of 4095", uv_fs_mkdir(&loop, &fs, path_of_length(4095, "/"), 0755, cb));
    BOTH("stat a path of 4095", uv_fs_stat(&loop, &fs, path_of_length(4095, "/"), cb));
    BOTH("a path of 4096", uv_fs_mkdir(&loop, &fs, path_of_length(4096, "/"), 0755, cb));
    BOTH("realpath of 4096", uv_fs_realpath(&loop, &fs, path_of_length(4096, "/"), cb));
    BOTH("not UTF-8", uv_fs_mkdir(&loop, &fs, "\xff\xfe\x80", 0755, cb));
    BOTH("stat not UTF-8", uv_fs_stat(&loop, &fs, "\xff\xfe\x80", cb));
    BOTH("rename not UTF-8", uv_fs_rename(&loop, &fs, "\xff\xfe\x80", "\xc0", cb));
    return 0;
}
