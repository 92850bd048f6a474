/* Many reads in one turn of a loop that runs. */
#ifndef READ_BATCH_H
#define READ_BATCH_H

#include "fs/folder.h"

#include <dirent.h>
#include <sys/prctl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

enum { PAGE = 4096, DEPTH = 32, PAGES = 64 };

typedef struct {
    uv_fs_t fs;
    int fd;
    int64_t offset;
    uv_buf_t buffer;
    ssize_t result;
} reading;

static reading readings[3 * DEPTH];
static char contents[PAGES * PAGE];
static int count, told, in_order;
static uv_timer_t turn;

/* A file of 64 different pages, in memory. */
static UNUSED int make_file(const char *path, int flags) {
    for (size_t i = 0; i < sizeof contents; i++) contents[i] = (char)(i / 7 + i / PAGE);
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    assert(fd >= 0 && write(fd, contents, sizeof contents) == sizeof contents);
    assert(fsync(fd) == 0 && close(fd) == 0);
    fd = open(path, O_RDWR | flags);
    return fd;
}

/* Lists a read for the next turn. Its buffer is not aligned. */
static UNUSED reading *want(int fd, int64_t offset, size_t length) {
    reading *one = &readings[count++];
    assert(count <= (int)COUNT(readings));
    one->fd = fd, one->offset = offset;
    one->buffer = uv_buf_init((char *)calloc(1, length + 1) + 1, length);
    return one;
}

static void on_read(uv_fs_t *fs) {
    reading *one = (reading *)fs;
    assert(!inside);
    in_order &= one - readings == told;
    told++;
    one->result = fs->result;
    uv_fs_req_cleanup(fs);
}

static void begin_reads(uv_timer_t *timer) {
    inside = 1;
    for (int i = 0; i < count; i++) {
        reading *one = &readings[i];
        int begun = uv_fs_read(timer->loop, &one->fs, one->fd, &one->buffer, 1, one->offset, on_read);
        assert(begun == 0);
    }
    inside = 0;
}

/* Has all reads begun in one turn, by `begin`, and runs the loop to their ends. */
static UNUSED void read_with(uv_timer_cb begin) {
    told = 0, in_order = 1;
    assert(uv_timer_init(&loop, &turn) == 0 && uv_timer_start(&turn, begin, 0, 0) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert(told == count && !uv_loop_alive(&loop));
    uv_close((uv_handle_t *)&turn, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

/* Whether a read got what is in the file. */
static UNUSED int is_right(const reading *one) {
    size_t there = one->offset < (int64_t)sizeof contents ? sizeof contents - (size_t)one->offset : 0;
    size_t expected = there < one->buffer.len ? there : one->buffer.len;
    return one->result == (ssize_t)expected &&
           memcmp(one->buffer.base, contents + (expected ? one->offset : 0), expected) == 0;
}

static UNUSED int all_right(void) {
    int right = 1;
    for (int i = 0; i < count; i++) right &= is_right(&readings[i]);
    return right;
}

static UNUSED void forget_reads(void) {
    for (int i = 0; i < count; i++) free(readings[i].buffer.base - 1);
    count = 0;
}

/* How many rings this process has open. */
static UNUSED int rings(void) {
    int found = 0;
    char link[64], path[300];
    DIR *descriptors = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(descriptors)) != NULL;) {
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        ssize_t length = readlink(path, link, sizeof link);
        if (length < 21 || strncmp(link, "anon_inode:[io_uring]", 21) != 0) continue;
        assert(fcntl(atoi(entry->d_name), F_GETFD) & FD_CLOEXEC);
        found++;
    }
    closedir(descriptors);
    return found;
}

/* From now on, making a ring ends like this. */
static UNUSED void forbid_rings(unsigned action) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {COUNT(rules), rules};
    assert(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    assert(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* Many reads at once, a few times over, of a process that has no ring. */
static UNUSED void read_without_rings(void) {
    enter_folder();
    int fd = make_file("file", 0);
    for (int i = 0; i < DEPTH; i++) want(fd, i * PAGE, PAGE);
    for (int times = 0; times < 3; times++) {
        read_with(begin_reads);
        assert(all_right() && in_order && rings() == 0);
    }
    forget_reads();
    assert(uv_loop_close(&loop) == 0);
}

#endif
