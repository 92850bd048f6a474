/* needs: 1.53 */
/* A copy succeeds if the times of the file cannot be set. The mode of an existing file is
 * replaced. */
#include "test.h"
#include "seccomp.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

static void put(const char *path, const char *text, int mode) {
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    assert(fd >= 0 && write(fd, text, strlen(text)) >= 0);
    assert(fchmod(fd, mode) == 0);
    close(fd);
}

static void copy(const char *to, int flags) {
    uv_fs_t request;
    struct stat a, b;
    char text[64] = "";
    int result = uv_fs_copyfile(NULL, &request, "a", to, flags, NULL);
    uv_fs_req_cleanup(&request);
    assert(stat("a", &a) == 0);
    assert(stat(to, &b) == 0);
    int fd = open(to, O_RDONLY);
    assert(read(fd, text, 63) >= 0);
    close(fd);
    int same = memcmp(&a.st_mtim, &b.st_mtim, sizeof a.st_mtim) == 0;
    print("%s: %s, mode %o, '%s', %s times", to, code(result), b.st_mode & 07777, text,
          same ? "same" : "other");
}

int main(void) {
    char directory[] = "/tmp/copyfile-XXXXXX";
    assert(mkdtemp(directory) && chdir(directory) == 0);
    umask(022);
    put("a", "first", 0640);
    struct timespec times[2] = {{1000, 5}, {2000, 123456789}};
    assert(utimensat(AT_FDCWD, "a", times, 0) == 0);
    copy("new", 0);
    put("old", "longer than the other one", 0666);
    copy("old", 0);
    copy("old", UV_FS_COPYFILE_EXCL);
    put("a", "", 0600);
    copy("empty", 0);
    put("a", "second", 0755);
    assert(utimensat(AT_FDCWD, "a", times, 0) == 0);
    fail_syscall(SYS_utimensat, 0, EPERM);
    copy("refused", 0);
    copy("old", 0);
    static const char *names[] = {"a", "new", "old", "empty", "refused"};
    for (size_t i = 0; i < COUNT(names); i++) EXPECT(unlink(names[i]), 0);
    EXPECT(rmdir(directory), 0);
    return 0;
}
