/* uv_fs_mkdtemp and uv_fs_mkstemp. */
#define AFTER                                                                                   \
    print("  path length %zu, changed %d, access %d", strlen(fs.path),                          \
        strstr(fs.path, "XXXXXX") == NULL, access(fs.path, F_OK));                              \
    if (fs.result > 0 && fs.fs_type == UV_FS_MKSTEMP)                                           \
        print("  opened: %d, closed on exec: %d", fcntl(fs.result, F_GETFL) & O_ACCMODE,        \
            fcntl(fs.result, F_GETFD) & FD_CLOEXEC), fs.result = 1
#include "fs/temp_dir.h"

int main(void) {
    const char *templates[] = {"dXXXXXX", "XXXXXX", "bad", "", "no/dXXXXXX", "xXXXXX", "XXXXXXend"};
    enter_temp_dir();
    for (size_t i = 0; i < COUNT(templates); i++) {
        print("[%s]", templates[i]);
        BOTH("mkdtemp", uv_fs_mkdtemp(&loop, &fs, templates[i], cb));
    }
    /* The descriptor number is arbitrary, so only its flags are printed. */
    for (size_t i = 2; i < COUNT(templates); i++) {
        print("[%s]", templates[i]);
        BOTH("mkstemp", uv_fs_mkstemp(&loop, &fs, templates[i], cb));
    }
    for (int round = 0; round < 2; round++) {
        print("made %d", uv_fs_mkstemp(&loop, &fs, "fileXXXXXX", round ? on_done : NULL) >= 0);
        uv_run(&loop, UV_RUN_DEFAULT);
        print("result %d, type %d", fs.result > 0, fs.fs_type);
        AFTER;
        uv_fs_req_cleanup(&fs);
    }
    return 0;
}
