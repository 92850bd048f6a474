/* uv_fs_sendfile between descriptors that were opened for reading, writing, both, or with O_PATH. */
#include "test.h"
#include <fcntl.h>
#include <sys/socket.h>
static const int modes[] = {O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_APPEND, O_RDWR | O_APPEND, O_PATH};
static const char *const names[] = {"r", "w", "rw", "wa", "rwa", "path"};
int main(void) {
    char a[] = "aXXXXXX", b[] = "bXXXXXX";
    int fa = mkstemp(a), p[2], q[2], s[2];
    close(mkstemp(b));
    EXPECT(write(fa, "hello world", 11), 11);
    for (size_t i = 0; i < COUNT(modes); i++)
        for (size_t j = 0; j < COUNT(modes) + 5; j++)
            for (int off = -1; off < 14; off += 5)
                for (int len = 0; len < 20; len += 7) {
                    uv_fs_t r;
                    EXPECT(pipe(p), 0); EXPECT(pipe(q), 0); EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
                    int in = open(a, modes[i]);
                    int out = j < COUNT(modes) ? open(b, modes[j]) : j == 6 ? p[1] : j == 7 ? p[0] : j == 8 ? s[0] : j == 9 ? open("/", O_RDONLY) : open("/dev/null", O_RDWR);
                    int res = uv_fs_sendfile(NULL, &r, out, in, off, len, NULL);
                    printf("%s -> %zu %d %d: %s %d\n", names[i], j, off, len, code(res), res > 0 ? res : 0);
                    uv_fs_req_cleanup(&r);
                    close(in); close(out); close(p[0]); close(p[1]); close(q[0]); close(q[1]); close(s[0]); close(s[1]);
                }
    for (size_t j = 0; j < COUNT(modes) + 2; j++)
        for (int k = 0; k < 5; k++)
        for (int off = -1; off < 14; off += 7) {
            uv_fs_t r;
            EXPECT(pipe(p), 0); EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
            EXPECT(write(p[1], "pipe", 4), 4); EXPECT(write(s[1], "sock", 4), 4);
            int in = k == 0 ? p[0] : k == 1 ? s[0] : k == 2 ? open("/", O_RDONLY) : k == 3 ? open("/dev/zero", O_RDWR) : p[1];
            int out = j < COUNT(modes) ? open(b, modes[j]) : j == 6 ? s[1] : open("/dev/null", O_RDWR);
            int res = uv_fs_sendfile(NULL, &r, out, in, off, 4, NULL);
            printf("special %d -> %zu %d: %s %d\n", k, j, off, code(res), res > 0 ? res : 0);
            uv_fs_req_cleanup(&r);
            close(in); close(out); close(p[0]); close(p[1]); close(s[0]); close(s[1]);
        }
    unlink(a); unlink(b);
    return 0;
}
