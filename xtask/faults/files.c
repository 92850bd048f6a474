/* File requests: each first synchronous, then with a callback. */
#include "workload.h"

enum { SIZE = 100000 };

static uv_loop_t loop;
static char text[SIZE], room[SIZE];
static int pending, is_async;

static void on_fs(uv_fs_t *fs) {
    const char *name = fs->data;
    operation_named(name)->reported++;
    pending--;
}

/* Returns the result of a request. Runs the loop until it completes. */
static long result_of(const char *name, uv_fs_t *fs, int started_with) {
    if (is_async) {
        if (started_with != 0) return check(name, started_with);
        operation_named(name)->started++;
        for (pending++; pending > 0;) uv_run(&loop, UV_RUN_ONCE);
    }
    return check(name, fs->result);
}

#define DO(call, ...) \
    ({ \
        uv_fs_t request = {.data = #call}; \
        int returned = uv_fs_##call(&loop, &request, __VA_ARGS__, callback()); \
        long result = result_of(#call, &request, returned); \
        uv_fs_req_cleanup(&request); \
        result; \
    })

static uv_fs_cb callback(void) { return is_async ? on_fs : NULL; }

static long write_all(uv_file file) {
    long done = 0;
    while (done < SIZE) {
        long half = (SIZE - done) / 2;
        uv_buf_t halves[] = {uv_buf_init(text + done, half),
                             uv_buf_init(text + done + half, SIZE - done - half)};
        long count = DO(write, file, halves, 2, done);
        if (count <= 0) return count;
        done += count;
    }
    return done;
}

static long read_all(uv_file file) {
    long done = 0;
    memset(room, 0, sizeof room);
    while (done < SIZE) {
        uv_buf_t rest = uv_buf_init(room + done, SIZE - done);
        long count = DO(read, file, &rest, 1, is_async && done == 0 ? -1 : done);
        if (count < 0) return count;
        if (count == 0) break;
        done += count;
    }
    return done;
}

static int holds_text(const char *path) {
    set_injection(0);
    int file = open(path, O_RDONLY);
    memset(room, 0, sizeof room);
    ssize_t count = file < 0 ? -1 : read(file, room, sizeof room);
    if (file >= 0) close(file);
    set_injection(1);
    return count == SIZE && memcmp(room, text, SIZE) == 0;
}

static void contents(const char *path) {
    uv_file file = DO(open, path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0) return;
    int before = errors;
    long count = write_all(file);
    if (errors == before && (count != SIZE || !holds_text(path))) lost("written bytes");
    DO(fsync, file);
    DO(fdatasync, file);
    DO(fstat, file);
    DO(futime, file, 1.5, 2.5);
    DO(fchmod, file, 0640);
    count = read_all(file);
    if (errors == before && (count != SIZE || memcmp(room, text, SIZE) != 0)) lost("read bytes");
    DO(close, file);
}

static void copies(const char *from, const char *to, const char *sent) {
    int before = errors, is_whole = holds_text(from);
    DO(copyfile, from, to, 0);
    if (errors == before && is_whole && !holds_text(to)) lost("copied bytes");
    before = errors;
    uv_file source = DO(open, from, O_RDONLY, 0);
    uv_file target = DO(open, sent, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    long count = 0, done = 0;
    while (source >= 0 && target >= 0 && done < SIZE) {
        count = DO(sendfile, target, source, done, SIZE - done);
        if (count <= 0) break;
        done += count;
    }
    if (errors == before && is_whole && !holds_text(sent)) lost("sent bytes");
    if (target >= 0) DO(ftruncate, target, 10);
    if (source >= 0) DO(close, source);
    if (target >= 0) DO(close, target);
}

static int entries_of(uv_fs_t *fs) {
    uv_dirent_t entry;
    int count = 0;
    while (uv_fs_scandir_next(fs, &entry) == 0) count++;
    return count;
}

static void listing(const char *path, int wanted) {
    uv_fs_t fs = {.data = "scandir"};
    int before = errors;
    result_of("scandir", &fs, uv_fs_scandir(&loop, &fs, path, 0, callback()));
    if (errors == before && entries_of(&fs) != wanted) lost("entries of a listing");
    uv_fs_req_cleanup(&fs);

    uv_dirent_t entries[2];
    int count = 0;
    fs = (uv_fs_t){.data = "opendir"};
    before = errors;
    result_of("opendir", &fs, uv_fs_opendir(&loop, &fs, path, callback()));
    uv_dir_t *directory = fs.ptr;
    int is_open = fs.result >= 0;
    uv_fs_req_cleanup(&fs);
    if (!is_open) return;
    directory->dirents = entries;
    directory->nentries = 2;
    for (long more = 1; more > 0;) {
        fs = (uv_fs_t){.data = "readdir"};
        more = result_of("readdir", &fs, uv_fs_readdir(&loop, &fs, directory, callback()));
        if (more > 0) count += more;
        uv_fs_req_cleanup(&fs);
    }
    if (errors == before && count != wanted) lost("entries of a directory");
    DO(closedir, directory);
}

static void names(const char *path, const char *other) {
    DO(stat, path);
    DO(lstat, path);
    DO(access, path, R_OK);
    DO(chmod, path, 0600);
    DO(utime, path, 1.5, 2.5);
    DO(rename, path, other);
    DO(link, other, path);
    DO(unlink, path);
    DO(symlink, other, path, 0);
    DO(readlink, path);
    DO(realpath, path);
    DO(lutime, path, 3.5, 4.5);
    DO(statfs, path);
    DO(unlink, path);
    DO(rename, other, path);
}

static void temporary(void) {
    char template[128];
    uv_fs_t fs = {.data = "mkdtemp"};
    snprintf(template, sizeof template, "%s", in_folder("aXXXXXX"));
    if (result_of("mkdtemp", &fs, uv_fs_mkdtemp(&loop, &fs, template, callback())) == 0) {
        DO(rmdir, fs.path);
    }
    uv_fs_req_cleanup(&fs);
    fs = (uv_fs_t){.data = "mkstemp"};
    long file = result_of("mkstemp", &fs, uv_fs_mkstemp(&loop, &fs, template, callback()));
    if (file >= 0) {
        DO(close, (uv_file)file);
        DO(unlink, fs.path);
    }
    uv_fs_req_cleanup(&fs);
}

int main(void) {
    for (int i = 0; i < SIZE; i++) text[i] = 'a' + i % 23;
    make_folder();
    set_injection(1);
    if (init_loop(&loop)) {
        for (is_async = 0; is_async < 2; is_async++) {
            if (DO(mkdir, in_folder("sub"), 0700) != 0) continue;
            contents(in_folder("sub/file"));
            copies(in_folder("sub/file"), in_folder("sub/copy"), in_folder("sub/sent"));
            if (errors == 0) listing(in_folder("sub"), 3);
            names(in_folder("sub/file"), in_folder("sub/other"));
            temporary();
            set_injection(0);
            remove_folder();
            assert(mkdir(folder, 0700) == 0);
            set_injection(1);
        }
        finish_loop(&loop);
    }
    int code = exit_code();
    remove_folder();
    return code;
}
