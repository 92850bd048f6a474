/* File requests, in the temporary folder that the interpreter runs in. */
#include "interp.h"

#include <sys/stat.h>

enum { FILES = 4 };

/* Open descriptors of the script, or -1. */
static int files[FILES] = {-1, -1, -1, -1};

struct request {
    uv_fs_t uv;
    int id, loop, routine, file;
    char bytes[64];
};

static void name(char *text, int n) { snprintf(text, 8, "f%d", n % FILES); }

/* The file that a call renames, copies or links file `n` to. Each lane has half of the files. */
static int target_of(int n) { return n + (lane < 0 ? 1 : LANES); }

/* Formats the result of a finished request. */
static void describe(struct request *request, char *text, size_t size) {
    uv_fs_t *uv = &request->uv;
    text[0] = 0;
    if (uv->result < 0) return;
    switch (uv->fs_type) {
    case UV_FS_STAT:
    case UV_FS_LSTAT:
    case UV_FS_FSTAT:
        snprintf(text, size, " mode %o size %d", (unsigned)uv->statbuf.st_mode,
                 S_ISDIR(uv->statbuf.st_mode) ? 0 : (int)uv->statbuf.st_size);
        break;
    case UV_FS_READ:
        snprintf(text, size, " %.*s", (int)uv->result, request->bytes);
        break;
    case UV_FS_READLINK: snprintf(text, size, " %s", (char *)uv->ptr); break;
    case UV_FS_SCANDIR: {
        uv_dirent_t entry;
        size_t used = 0;
        while (used + 16 < size && uv_fs_scandir_next(uv, &entry) == 0) {
            used += (size_t)snprintf(text + used, size - used, " %s:%d", entry.name, entry.type);
        }
        break;
    }
    default: break;
    }
}

static void finished(struct request *request, bool callback) {
    uv_fs_t *uv = &request->uv;
    char text[200];
    describe(request, text, sizeof text);
    bool is_open = uv->fs_type == UV_FS_OPEN && uv->result >= 0;
    if (is_open) files[request->file] = (int)uv->result;
    /* Descriptor numbers are not printed: they depend on the descriptors of the library. */
    const char *result = is_open ? "fd" : code((int)uv->result);
    if (callback) {
        enter_plain(request->loop, "fs #%d %s%s", request->id, result, text);
    } else {
        trace("  fs #%d %s%s", request->id, result, text);
    }
    uv_fs_req_cleanup(uv);
}

static void on_fs(uv_fs_t *uv) {
    struct request *request = (struct request *)uv;
    int routine = request->routine, loop = request->loop;
    finished(request, true);
    free(request);
    world.in_async[loop]++;
    run_routine(routine);
    world.in_async[loop]--;
    leave();
}

typedef int call(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb);

static int call_stat(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8];
    name(path, n);
    return uv_fs_stat(loop, &request->uv, path, cb);
}

static int call_lstat(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8];
    name(path, n);
    return uv_fs_lstat(loop, &request->uv, path, cb);
}

static int call_unlink(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8];
    name(path, n);
    return uv_fs_unlink(loop, &request->uv, path, cb);
}

static int call_mkdir(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8];
    name(path, n);
    return uv_fs_mkdir(loop, &request->uv, path, 0755, cb);
}

static int call_rmdir(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8];
    name(path, n);
    return uv_fs_rmdir(loop, &request->uv, path, cb);
}

static int call_rename(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8], to[8];
    name(path, n);
    name(to, target_of(n));
    return uv_fs_rename(loop, &request->uv, path, to, cb);
}

static int call_access(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8];
    name(path, n);
    return uv_fs_access(loop, &request->uv, path, R_OK, cb);
}

static int call_scandir(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    (void)n;
    return uv_fs_scandir(loop, &request->uv, ".", 0, cb);
}

static int call_symlink(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8], to[8];
    name(path, n);
    name(to, target_of(n));
    return uv_fs_symlink(loop, &request->uv, path, to, 0, cb);
}

static int call_readlink(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8];
    name(path, n);
    return uv_fs_readlink(loop, &request->uv, path, cb);
}

static int call_copyfile(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8], to[8];
    name(path, n);
    name(to, target_of(n));
    return uv_fs_copyfile(loop, &request->uv, path, to, UV_FS_COPYFILE_EXCL, cb);
}

static int call_open(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    char path[8];
    name(path, n);
    return uv_fs_open(loop, &request->uv, path, O_RDWR | O_CREAT, 0644, cb);
}

static int call_close(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    int fd = files[n % FILES];
    files[n % FILES] = -1;
    return uv_fs_close(loop, &request->uv, fd, cb);
}

static int call_read(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    uv_buf_t buf = uv_buf_init(request->bytes, sizeof request->bytes);
    return uv_fs_read(loop, &request->uv, files[n % FILES], &buf, 1, 0, cb);
}

static int call_write(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    int length = snprintf(request->bytes, sizeof request->bytes, "bytes %d", request->id);
    uv_buf_t buf = uv_buf_init(request->bytes, (unsigned)length);
    return uv_fs_write(loop, &request->uv, files[n % FILES], &buf, 1, 0, cb);
}

static int call_fstat(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    return uv_fs_fstat(loop, &request->uv, files[n % FILES], cb);
}

static int call_ftruncate(uv_loop_t *loop, struct request *request, int n, uv_fs_cb cb) {
    return uv_fs_ftruncate(loop, &request->uv, files[n % FILES], 3, cb);
}

/* Those before call_open need a descriptor. */
static call *const calls[] = {
    call_read,   call_write,  call_fstat,  call_ftruncate, call_close,    call_open,
    call_stat,   call_lstat,  call_unlink, call_mkdir,     call_rmdir,    call_rename,
    call_access, call_scandir, call_symlink, call_readlink, call_copyfile,
};

enum { CALLS = sizeof calls / sizeof *calls, OPEN_CALL = 5, SCANDIR_CALL = 13, COPY_CALL = 16 };

static void begin(const struct op *op, uv_fs_cb cb) {
    if (cb ? !may_use_pool(op, op->arg[0]) : !usable(op, op->arg[0])) return;
    int which = op->arg[1] % CALLS, n = lane < 0 ? op->arg[2] : op->arg[2] / LANES * LANES + lane;
    bool is_open = files[n % FILES] >= 0;
    bool sees_other_lane = which == SCANDIR_CALL && lane >= 0;
    if ((which < OPEN_CALL ? !is_open : which == OPEN_CALL && is_open) || sees_other_lane) {
        skip(op);
        return;
    }
    /* "Events and finished requests of one poll phase" and "The number of file system events" in
     * docs/switching.md. */
    bool unordered = cb || stack.callbacks > 0 || which == COPY_CALL;
    if (unordered && has_verb("fs_event_start")) {
        skip(op);
        return;
    }
    struct request *request = malloc(sizeof *request);
    memset(request, 0xa5, sizeof *request);
    request->id = next_id();
    request->loop = op->arg[0];
    request->file = n % FILES;
    request->routine = cb ? op->arg[3] : 0;
    /* Prevents a second open of the same slot until this one is finished. */
    if (which == OPEN_CALL) files[n % FILES] = -2;
    int result = calls[which](cb ? &world.loops[op->arg[0]] : NULL, request, n, cb);
    if (which == OPEN_CALL && files[n % FILES] == -2) files[n % FILES] = -1;
    trace_op(op, "#%d %s", request->id, which == OPEN_CALL && result > 0 ? "fd" : code(result));
    if (!cb) {
        finished(request, false);
        free(request);
    } else if (result != 0) {
        free(request);
    } else {
        drain_kernel();
    }
}

static void do_fs(const struct op *op) { begin(op, on_fs); }

static void do_fs_sync(const struct op *op) { begin(op, NULL); }

const struct verb fs_verbs[] = {
    {"fs", "lnnr", do_fs},
    {"fs_sync", "lnn", do_fs_sync},
    {NULL, NULL, NULL},
};
