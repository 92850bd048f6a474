/* Names that nobody else has. */
#define AFTER                                                                                   \
    say("  path %zu long, changed %d, there %d", strlen(fs.path),                               \
        strstr(fs.path, "XXXXXX") == NULL, access(fs.path, F_OK));                              \
    if (fs.result > 0 && fs.fs_type == UV_FS_MKSTEMP)                                           \
        say("  opened: %d, closed on exec: %d", fcntl(fs.result, F_GETFL) & O_ACCMODE,          \
            fcntl(fs.result, F_GETFD) & FD_CLOEXEC), fs.result = 1
#include "fs/folder.h"

int main(void) {
    const char *templates[] = {"dXXXXXX", "XXXXXX", "bad", "", "no/dXXXXXX", "xXXXXX", "XXXXXXend"};
    enter_folder();
    for (size_t i = 0; i < COUNT(templates); i++) {
        say("[%s]", templates[i]);
        BOTH("mkdtemp", uv_fs_mkdtemp(&loop, &fs, templates[i], cb));
    }
    /* The descriptor's number is the library's business, so only its kind is told. */
    for (size_t i = 2; i < COUNT(templates); i++) {
        say("[%s]", templates[i]);
        BOTH("mkstemp", uv_fs_mkstemp(&loop, &fs, templates[i], cb));
    }
    for (int round = 0; round < 2; round++) {
        say("made %d", uv_fs_mkstemp(&loop, &fs, "fileXXXXXX", round ? noted : NULL) >= 0);
        uv_run(&loop, UV_RUN_DEFAULT);
        say("result %d, type %d", fs.result > 0, fs.fs_type);
        AFTER;
        uv_fs_req_cleanup(&fs);
    }
    return 0;
}
