/* Whose memory is whose, before and after the cleanup. */
#include "fs/folder.h"

static void tell_fields(const char *when, const char *path) {
    say("%s: path %s, ptr %s, type %d, result %s, system error %d", when,
        fs.path == NULL ? "null" : fs.path == path ? "as given" : fs.path,
        fs.ptr == NULL ? "null" : fs.ptr == &fs.statbuf ? "statbuf" : "own",
        uv_fs_get_type(&fs), outcome(uv_fs_get_result(&fs)), uv_fs_get_system_error(&fs));
    assert(uv_fs_get_path(&fs) == fs.path && uv_fs_get_ptr(&fs) == fs.ptr);
    assert(uv_fs_get_statbuf(&fs) == &fs.statbuf);
}

int main(void) {
    char path[32] = "file", second[32] = "other";
    const char *given = path;

    enter_folder();
    put("file", "text", 0644);
    uv_fs_req_cleanup(NULL);
    uv_fs_stat(NULL, &fs, given, NULL);
    tell_fields("sync", given);
    uv_fs_req_cleanup(&fs);
    tell_fields("  cleaned", given);
    uv_fs_req_cleanup(&fs);
    tell_fields("  twice", given);
    uv_fs_stat(NULL, &fs, "no", NULL);
    tell_fields("sync, failed", given);
    uv_fs_req_cleanup(&fs);

    uv_fs_stat(&loop, &fs, given, noted);
    say("alive %d", uv_loop_alive(&loop));
    strcpy(path, "gone");
    uv_run(&loop, UV_RUN_DEFAULT);
    tell_fields("async", given);
    uv_fs_req_cleanup(&fs);
    tell_fields("  cleaned", given);
    strcpy(path, "file");

    uv_fs_rename(&loop, &fs, path, second, noted);
    strcpy(path, "gone"), strcpy(second, "gone");
    uv_run(&loop, UV_RUN_DEFAULT);
    tell_fields("rename", path);
    uv_fs_req_cleanup(&fs);
    show("other");

    say("no request: %s", outcome(uv_fs_stat(&loop, NULL, "x", noted)));
    say("no request: %s", outcome(uv_fs_close(NULL, NULL, 0, NULL)));
    say("no request: %s", outcome(uv_fs_mkdtemp(&loop, NULL, "x", noted)));
    say("alive %d", uv_loop_alive(&loop));

    uv_fs_statfs(NULL, &fs, ".", NULL);
    tell_fields("statfs", ".");
    uv_statfs_t *volume = fs.ptr;
    say("  %d %d", volume->f_bsize > 0, volume->f_blocks >= volume->f_bfree);
    uv_fs_req_cleanup(&fs);
    uv_fs_statfs(NULL, &fs, "no", NULL);
    tell_fields("statfs of nothing", ".");
    uv_fs_req_cleanup(&fs);
    say("handles: %d %d", uv_get_osfhandle(5), uv_open_osfhandle(7));
    say("size %zu, name %s", uv_req_size(UV_FS), uv_req_type_name(UV_FS));
    say("close %s", code(uv_loop_close(&loop)));
    return 0;
}
