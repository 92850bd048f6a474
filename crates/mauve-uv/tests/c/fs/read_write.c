/* uv_fs_read, uv_fs_write, ftruncate, fsync and close: one buffer and many, offsets, end of file,
 * errors. */
#include "fs/temp_dir.h"

#include <sys/resource.h>

static char bytes[70000], read_back[70000];
static uv_buf_t many[3000];

static uv_buf_t *split(char *memory, size_t length, size_t piece) {
    for (size_t at = 0, i = 0; at < length; at += piece, i++)
        many[i] = uv_buf_init(memory + at, piece);
    return many;
}

typedef struct {
    int fd, filled;
} full_pipe;

static void drain(void *argument) {
    full_pipe *pipe_ = argument;
    int same = 1;
    char byte;
    for (int i = 0; i < pipe_->filled; i++) assert(read(pipe_->fd, &byte, 1) == 1);
    for (int i = 0; i < 50000; i++) same &= read(pipe_->fd, &byte, 1) == 1 && byte == bytes[i];
    print("  drained, same %d", same);
}

/* Fills a pipe and reads a part of it, so that a later write fits only in part. */
static int fill(int ends[2]) {
    int filled = 0;
    ssize_t count;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while ((count = write(ends[1], bytes, sizeof bytes)) > 0) filled += count;
    fcntl(ends[1], F_SETFL, 0);
    int free = filled < 20000 ? filled / 2 : 20000;
    assert(read(ends[0], read_back, free) == free);
    return filled - free;
}

/* The pipe has space for the first part of the write, and for the rest when it is read. */
static void write_to_full_pipe(void) {
    int ends[2];
    uv_thread_t thread;
    uv_buf_t half[2] = {{bytes, 20000}, {bytes + 20000, 30000}};
    assert(pipe(ends) == 0);
    full_pipe pipe_ = {ends[0], fill(ends)};
    print("full pipe: %s", result_name(uv_fs_write(&loop, &fs, ends[1], half, 2, -1, on_done)));
    assert(uv_thread_create(&thread, drain, &pipe_) == 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_thread_join(&thread);
    print("  %s", result_name(fs.result));
    uv_fs_req_cleanup(&fs);
    close(ends[0]), close(ends[1]);
}

int main(void) {
    enter_temp_dir();
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = 'a' + i * 7 % 26;
    int fd = open("file", O_CREAT | O_RDWR, 0644);
    int only_read = open("file", O_RDONLY), only_written = open("file", O_WRONLY);
    int end = open("file", O_WRONLY | O_APPEND), here = open(".", O_RDONLY);
    uv_buf_t one = uv_buf_init(bytes, 1000), none[2] = {{bytes, 0}, {bytes, 0}};
    uv_buf_t into = uv_buf_init(read_back, 300), large = uv_buf_init(read_back, sizeof read_back);

    BOTH("write", uv_fs_write(&loop, &fs, fd, &one, 1, 0, cb));
    BOTH("write at the current offset", uv_fs_write(&loop, &fs, fd, &one, 1, -1, cb));
    BOTH("append", uv_fs_write(&loop, &fs, end, &one, 1, -1, cb));
    print("position %d, size %d", (int)lseek(fd, 0, SEEK_CUR), (int)lseek(fd, 0, SEEK_END));
    BOTH("write nothing", uv_fs_write(&loop, &fs, fd, none, 2, 0, cb));
    BOTH("write no buffers", uv_fs_write(&loop, &fs, fd, &one, 0, 0, cb));
    BOTH("write null", uv_fs_write(&loop, &fs, fd, NULL, 1, 0, cb));
    BOTH("write to a read-only descriptor", uv_fs_write(&loop, &fs, only_read, &one, 1, 0, cb));
    BOTH("write to a bad descriptor", uv_fs_write(&loop, &fs, -1, &one, 1, 0, cb));

    BOTH("read", uv_fs_read(&loop, &fs, fd, &into, 1, 100, cb));
    print("  same: %d", memcmp(read_back, bytes + 100, 300) == 0);
    lseek(fd, 950, SEEK_SET);
    BOTH("read at the current offset", uv_fs_read(&loop, &fs, fd, &into, 1, -1, cb));
    print("position %d", (int)lseek(fd, 0, SEEK_CUR));
    BOTH("read across the end of file", uv_fs_read(&loop, &fs, fd, &into, 1, 3900, cb));
    BOTH("read at the end", uv_fs_read(&loop, &fs, fd, &into, 1, 4000, cb));
    BOTH("read behind the end", uv_fs_read(&loop, &fs, fd, &into, 1, 1 << 30, cb));
    lseek(fd, 3900, SEEK_SET);
    BOTH("read across the end at the current offset", uv_fs_read(&loop, &fs, fd, &into, 1, -1, cb));
    BOTH("read more than the file has", uv_fs_read(&loop, &fs, fd, &large, 1, 0, cb));
    BOTH("read nothing", uv_fs_read(&loop, &fs, fd, none, 2, 0, cb));
    BOTH("read no buffers", uv_fs_read(&loop, &fs, fd, &into, 0, 0, cb));
    BOTH("read null", uv_fs_read(&loop, &fs, fd, NULL, 1, 0, cb));
    BOTH("read from a write-only descriptor",
         uv_fs_read(&loop, &fs, only_written, &into, 1, 0, cb));
    BOTH("read a directory", uv_fs_read(&loop, &fs, here, &into, 1, 0, cb));
    BOTH("read from a bad descriptor", uv_fs_read(&loop, &fs, -1, &into, 1, 0, cb));

    const size_t pieces[] = {17500, 7000, 70, 30};
    for (size_t i = 0; i < COUNT(pieces); i++) {
        size_t count = sizeof bytes / pieces[i];
        print("%zu buffers", count);
        assert(ftruncate(fd, 0) == 0);
        BOTH("write", uv_fs_write(&loop, &fs, fd, split(bytes, sizeof bytes, pieces[i]), count, 0, cb));
        memset(read_back, 0, sizeof read_back);
        BOTH("read", uv_fs_read(&loop, &fs, fd, split(read_back, sizeof read_back, pieces[i]),
                                count, 0, cb));
        print("  same %d", memcmp(bytes, read_back, 20000) == 0);
    }

    /* Only the start of the file is cached. */
    large.len = 60000;
    for (int from = -1; from < 1; from++) {
        fsync(fd);
        posix_fadvise(fd, 16384, 0, POSIX_FADV_DONTNEED);
        lseek(fd, 0, SEEK_SET);
        memset(read_back, 0, sizeof read_back);
        uv_fs_read(&loop, &fs, fd, &large, 1, from, on_done);
        uv_run(&loop, UV_RUN_DEFAULT);
        print("partly cached: %s, same %d", result_name(fs.result),
              memcmp(bytes, read_back, 60000) == 0);
        uv_fs_req_cleanup(&fs);
    }

    int ends[2];
    assert(pipe(ends) == 0 && write(ends[1], "in the pipe", 11) == 11);
    into.len = 2;
    BOTH("read a pipe", uv_fs_read(&loop, &fs, ends[0], &into, 1, -1, cb));
    BOTH("read a pipe at an offset", uv_fs_read(&loop, &fs, ends[0], &into, 1, 0, cb));
    into.len = 300;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    BOTH("read the rest", uv_fs_read(&loop, &fs, ends[0], &into, 1, -1, cb));
    one.len = 5;
    BOTH("write to a pipe", uv_fs_write(&loop, &fs, ends[1], &one, 1, -1, cb));
    BOTH("read both", uv_fs_read(&loop, &fs, ends[0], &into, 1, -1, cb));
    close(ends[1]);
    BOTH("read a pipe to its end", uv_fs_read(&loop, &fs, ends[0], &into, 1, -1, cb));

    write_to_full_pipe();

    int full = open("/dev/full", O_RDWR), null = open("/dev/null", O_RDWR);
    BOTH("write to /dev/full", uv_fs_write(&loop, &fs, full, &one, 1, 0, cb));
    BOTH("read from /dev/full", uv_fs_read(&loop, &fs, full, &into, 1, 0, cb));
    BOTH("write to /dev/null", uv_fs_write(&loop, &fs, null, &one, 1, 0, cb));
    BOTH("read from /dev/null", uv_fs_read(&loop, &fs, null, &into, 1, 0, cb));

    BOTH("ftruncate", uv_fs_ftruncate(&loop, &fs, fd, 10, cb));
    BOTH("ftruncate to a negative size", uv_fs_ftruncate(&loop, &fs, fd, -10, cb));
    BOTH("ftruncate of a read-only descriptor", uv_fs_ftruncate(&loop, &fs, only_read, 1, cb));
    BOTH("ftruncate of a directory", uv_fs_ftruncate(&loop, &fs, here, 1, cb));
    BOTH("fsync", uv_fs_fsync(&loop, &fs, fd, cb));
    BOTH("fdatasync", uv_fs_fdatasync(&loop, &fs, fd, cb));
    BOTH("fsync of a pipe", uv_fs_fsync(&loop, &fs, ends[0], cb));
    BOTH("fdatasync of a bad descriptor", uv_fs_fdatasync(&loop, &fs, -1, cb));
    print_file("file");

    /* A sparse file of more than 4 GiB. */
    long offset = 5l << 30;
    BOTH("write at 5 GiB", uv_fs_write(&loop, &fs, fd, &one, 1, offset, cb));
    BOTH("stat", uv_fs_fstat(&loop, &fs, fd, cb));
    print("  size %ld", (long)fs.statbuf.st_size);
    BOTH("read at 5 GiB", uv_fs_read(&loop, &fs, fd, &into, 1, offset, cb));
    BOTH("read a hole", uv_fs_read(&loop, &fs, fd, &into, 1, offset - 1000, cb));
    int copy = open("copy", O_CREAT | O_RDWR, 0644);
    BOTH("sendfile from 5 GiB", uv_fs_sendfile(&loop, &fs, copy, fd, offset, 100, cb));
    BOTH("ftruncate to 5 GiB", uv_fs_ftruncate(&loop, &fs, fd, offset + 1, cb));
    BOTH("write at the maximum offset", uv_fs_write(&loop, &fs, fd, &one, 1, INT64_MAX - 2, cb));

    BOTH("close", uv_fs_close(&loop, &fs, copy, cb));
    BOTH("close a bad descriptor", uv_fs_close(&loop, &fs, -1, cb));
    struct rlimit few = {32, 32};
    assert(setrlimit(RLIMIT_NOFILE, &few) == 0);
    while (open("file", O_RDONLY) >= 0) {}
    BOTH("open with no descriptor left", uv_fs_open(&loop, &fs, "file", O_RDONLY, 0, cb));
    BOTH("scandir with no descriptor left", uv_fs_scandir(&loop, &fs, ".", 0, cb));
    BOTH("opendir with no descriptor left", uv_fs_opendir(&loop, &fs, ".", cb));
    BOTH("stat with no descriptor left", uv_fs_stat(&loop, &fs, "file", cb));
    BOTH("copyfile with no descriptor left", uv_fs_copyfile(&loop, &fs, "file", "new", 0, cb));
    BOTH("mkstemp with no descriptor left", uv_fs_mkstemp(&loop, &fs, "tXXXXXX", cb));
    /* Removing the directory needs descriptors. */
    close(fd), close(only_read), close(only_written), close(end), close(here);
    return 0;
}
