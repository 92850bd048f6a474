/* Many reads that are submitted in one callback. */
#ifndef READ_BATCH_H
#define READ_BATCH_H

#include "fs/temp_dir.h"

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
} read_request;

static read_request requests[3 * DEPTH];
static char contents[PAGES * PAGE];
static int count, completed, in_order;
static uv_timer_t starter;

/* Creates a file of 64 different pages. */
static UNUSED int make_file(const char *path, int flags) {
    for (size_t i = 0; i < sizeof contents; i++) contents[i] = (char)(i / 7 + i / PAGE);
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    assert(fd >= 0 && write(fd, contents, sizeof contents) == sizeof contents);
    assert(fsync(fd) == 0 && close(fd) == 0);
    fd = open(path, O_RDWR | flags);
    return fd;
}

/* Adds a read to the next batch. Its buffer is not aligned. */
static UNUSED read_request *add_read(int fd, int64_t offset, size_t length) {
    read_request *self = &requests[count++];
    assert(count <= (int)COUNT(requests));
    self->fd = fd, self->offset = offset;
    self->buffer = uv_buf_init((char *)calloc(1, length + 1) + 1, length);
    return self;
}

static void on_read(uv_fs_t *fs) {
    read_request *self = (read_request *)fs;
    assert(!in_call);
    in_order &= self - requests == completed;
    completed++;
    self->result = fs->result;
    uv_fs_req_cleanup(fs);
}

static void submit_reads(uv_timer_t *timer) {
    in_call = 1;
    for (int i = 0; i < count; i++) {
        read_request *self = &requests[i];
        int status = uv_fs_read(timer->loop, &self->fs, self->fd, &self->buffer, 1, self->offset,
                                on_read);
        assert(status == 0);
    }
    in_call = 0;
}

/* Runs the loop with `submit` as a timer callback, until all reads have completed. */
static UNUSED void run_reads(uv_timer_cb submit) {
    completed = 0, in_order = 1;
    assert(uv_timer_init(&loop, &starter) == 0 && uv_timer_start(&starter, submit, 0, 0) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert(completed == count && !uv_loop_alive(&loop));
    uv_close((uv_handle_t *)&starter, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
}

/* Whether a read returned the contents of the file. */
static UNUSED int is_correct(const read_request *self) {
    int is_inside = self->offset < (int64_t)sizeof contents;
    size_t available = is_inside ? sizeof contents - (size_t)self->offset : 0;
    size_t expected = available < self->buffer.len ? available : self->buffer.len;
    return self->result == (ssize_t)expected &&
           memcmp(self->buffer.base, contents + (expected ? self->offset : 0), expected) == 0;
}

static UNUSED int all_correct(void) {
    int correct = 1;
    for (int i = 0; i < count; i++) correct &= is_correct(&requests[i]);
    return correct;
}

static UNUSED void free_reads(void) {
    for (int i = 0; i < count; i++) free(requests[i].buffer.base - 1);
    count = 0;
}

/* Number of io_uring descriptors of this process. */
static UNUSED int count_rings(void) {
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

/* Makes io_uring_setup end with this seccomp action from now on. */
static UNUSED void filter_io_uring_setup(unsigned action) {
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

/* Runs batches of reads, and checks that no io_uring descriptor is open. */
static UNUSED void read_without_io_uring(void) {
    enter_temp_dir();
    int fd = make_file("file", 0);
    for (int i = 0; i < DEPTH; i++) add_read(fd, i * PAGE, PAGE);
    for (int times = 0; times < 3; times++) {
        run_reads(submit_reads);
        assert(all_correct() && in_order && count_rings() == 0);
    }
    free_reads();
    assert(uv_loop_close(&loop) == 0);
}

#endif
