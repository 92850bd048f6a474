/* Thousands of random file system requests, half of them with a callback. Prints a hash of all
 * results, and the final directory tree. */
#include "fs/temp_dir.h"

static uint64_t seed = 20240229, hash = 14695981039346656037u;
static int kinds[64], failures[64];

static uint32_t random_below(uint32_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static void add_to_hash(const void *data, size_t length) {
    for (const unsigned char *c = data; length-- > 0; c++) hash = (hash ^ *c) * 1099511628211u;
}

/* One of a few dozen names, so that operations use the same files. */
static const char *name(void) {
    static char names[4][64];
    static int at;
    char *here = names[at++ % 4];
    static const char *directories[] = {"", "a/", "b/", "a/c/", "a/../b/", "s/"};
    snprintf(here, 64, "%s%c", directories[random_below(COUNT(directories))],
             'a' + random_below(8));
    return here;
}

static char bytes[9000];

static void random_operation(uv_fs_cb cb) {
    uv_buf_t buffers[3];
    const char *path = name(), *other = name();
    int kind = random_below(24), fd = -1, result = 0;

    if (kind < 6) fd = open(path, (kind % 3 == 0 ? O_RDONLY : O_RDWR | O_CREAT) | O_NOFOLLOW | O_NONBLOCK, 0644);
    size_t length = random_below(3000) + 1;
    for (int i = 0; i < 3; i++) buffers[i] = uv_buf_init(bytes + i * 3000, length);
    if (kind == 1 || kind == 4) memset(bytes, 'a' + random_below(26), sizeof bytes);
    int offset = (int)random_below(5) == 0 ? -1 : (int)random_below(6000), some = 1 + random_below(3);
    switch (kind) {
    case 0: case 3: result = uv_fs_read(&loop, &fs, fd, buffers, some, offset, cb); break;
    case 1: case 4: result = uv_fs_write(&loop, &fs, fd, buffers, some, offset, cb); break;
    case 2: result = uv_fs_ftruncate(&loop, &fs, fd, offset, cb); break;
    case 5: result = uv_fs_fstat(&loop, &fs, fd, cb); break;
    case 6: result = uv_fs_mkdir(&loop, &fs, path, 0700 + random_below(64), cb); break;
    case 7: result = uv_fs_rmdir(&loop, &fs, path, cb); break;
    case 8: result = uv_fs_unlink(&loop, &fs, path, cb); break;
    case 9: result = uv_fs_rename(&loop, &fs, path, other, cb); break;
    case 10: result = uv_fs_link(&loop, &fs, path, other, cb); break;
    case 11: result = uv_fs_symlink(&loop, &fs, other, path, 0, cb); break;
    case 12: result = uv_fs_readlink(&loop, &fs, path, cb); break;
    case 13: result = uv_fs_copyfile(&loop, &fs, path, other, random_below(2), cb); break;
    case 14: result = uv_fs_stat(&loop, &fs, path, cb); break;
    case 15: result = uv_fs_lstat(&loop, &fs, path, cb); break;
    case 16: result = uv_fs_chmod(&loop, &fs, path, 0600 + random_below(128), cb); break;
    case 17: result = uv_fs_utime(&loop, &fs, path, random_below(1000), random_below(1000) + 0.5,
                                  cb); break;
    case 18: result = uv_fs_scandir(&loop, &fs, path, 0, cb); break;
    case 19: result = uv_fs_realpath(&loop, &fs, path, cb); break;
    case 20: result = uv_fs_access(&loop, &fs, path, F_OK, cb); break;
    case 21: result = uv_fs_lutime(&loop, &fs, path, random_below(1000) + 0.25, random_below(1000),
                                   cb); break;
    case 22: result = uv_fs_chown(&loop, &fs, path, -1, -1, cb); break;
    case 23: result = uv_fs_opendir(&loop, &fs, path, cb); break;
    }
    if (cb != NULL) uv_run(&loop, UV_RUN_DEFAULT);
    assert(cb == NULL ? result == fs.result : result == 0 || result == fs.result || result == UV_EINVAL);
    ssize_t status = cb != NULL && result < 0 ? result : fs.result;
    add_to_hash(&kind, sizeof kind), add_to_hash(&status, sizeof status);
    kinds[kind]++, failures[kind] += status < 0;
    if (status >= 0 && (kind == 0 || kind == 3)) add_to_hash(bytes, status < 9000 ? status : 9000);
    if (status >= 0 && (kind == 5 || kind == 14 || kind == 15)) {
        add_to_hash(&fs.statbuf.st_mode, 8);
        if (S_ISREG(fs.statbuf.st_mode))
            add_to_hash(&fs.statbuf.st_size, 8), add_to_hash(&fs.statbuf.st_nlink, 8);
    }
    if (status >= 0 && kind == 12) add_to_hash(fs.ptr, strlen(fs.ptr));
    if (status >= 0 && kind == 19)
        add_to_hash((char *)fs.ptr + strlen(temp_dir), strlen(fs.ptr) - strlen(temp_dir));
    if (status >= 0 && kind == 18) {
        uv_dirent_t entry;
        while (uv_fs_scandir_next(&fs, &entry) == 0)
            add_to_hash(entry.name, strlen(entry.name)), add_to_hash(&entry.type,
                                                                     sizeof entry.type);
    }
    uv_dir_t *directory = kind == 23 && status >= 0 ? fs.ptr : NULL;
    uv_fs_req_cleanup(&fs);
    if (directory != NULL) assert(uv_fs_closedir(NULL, &fs, directory, NULL) == 0);
    if (fd >= 0) close(fd);
}

/* Prints the directory tree, in order. */
static void walk(const char *path) {
    uv_fs_t listing;
    uv_dirent_t entry;
    char below[256];
    uv_fs_scandir(NULL, &listing, path, 0, NULL);
    while (uv_fs_scandir_next(&listing, &entry) == 0) {
        struct stat info;
        snprintf(below, sizeof below, "%s/%s", path, entry.name);
        assert(lstat(below, &info) == 0);
        int is_directory = S_ISDIR(info.st_mode);
        print("%s %o %d", below, (int)info.st_mode, is_directory ? 0 : (int)info.st_size);
        if (is_directory) walk(below);
    }
    uv_fs_req_cleanup(&listing);
}

int main(void) {
    enter_temp_dir();
    mkdir("a", 0755), mkdir("b", 0755), mkdir("a/c", 0755);
    assert(symlink("b", "s") == 0);
    for (int i = 0; i < 8000; i++) {
        random_operation(random_below(2) ? on_done : NULL);
        if (i % 500 == 499) print("%d: %llx", i, (unsigned long long)hash);
        /* Starts afresh: otherwise most names become directories. */
        if (i % 1000 == 999) {
            remove_temp_dir();
            assert(mkdir(temp_dir, 0755) == 0 && chdir(temp_dir) == 0);
            mkdir("a", 0755), mkdir("b", 0755), mkdir("a/c", 0755);
            assert(symlink("b", "s") == 0);
        }
        if (i % 1000 == 950) walk(".");
    }
    for (int i = 0; i < 24; i++) print("kind %d: %d, failed %d", i, kinds[i], failures[i]);
    return 0;
}
