/* Which fields of uv_fs_t are owned by the request, before and after uv_fs_req_cleanup. */
#include "fs/temp_dir.h"

static void print_fields(const char *when, const char *path) {
    print("%s: path %s, ptr %s, type %d, result %s, system error %d", when,
          fs.path == NULL ? "null" : fs.path == path ? "as given" : fs.path,
          fs.ptr == NULL ? "null" : fs.ptr == &fs.statbuf ? "statbuf" : "allocated",
          uv_fs_get_type(&fs), result_name(uv_fs_get_result(&fs)), uv_fs_get_system_error(&fs));
    assert(uv_fs_get_path(&fs) == fs.path && uv_fs_get_ptr(&fs) == fs.ptr);
    assert(uv_fs_get_statbuf(&fs) == &fs.statbuf);
}

int main(void) {
    char path[32] = "file", second[32] = "other";
    const char *given = path;

    enter_temp_dir();
    write_file("file", "text", 0644);
    uv_fs_req_cleanup(NULL);
    uv_fs_stat(NULL, &fs, given, NULL);
    print_fields("sync", given);
    uv_fs_req_cleanup(&fs);
    print_fields("  cleaned", given);
    uv_fs_req_cleanup(&fs);
    print_fields("  twice", given);
    uv_fs_stat(NULL, &fs, "no", NULL);
    print_fields("sync, failed", given);
    uv_fs_req_cleanup(&fs);

    uv_fs_stat(&loop, &fs, given, on_done);
    print("alive %d", uv_loop_alive(&loop));
    strcpy(path, "gone");
    uv_run(&loop, UV_RUN_DEFAULT);
    print_fields("async", given);
    uv_fs_req_cleanup(&fs);
    print_fields("  cleaned", given);
    strcpy(path, "file");

    uv_fs_rename(&loop, &fs, path, second, on_done);
    strcpy(path, "gone"), strcpy(second, "gone");
    uv_run(&loop, UV_RUN_DEFAULT);
    print_fields("rename", path);
    uv_fs_req_cleanup(&fs);
    print_file("other");

    print("no request: %s", result_name(uv_fs_stat(&loop, NULL, "x", on_done)));
    print("no request: %s", result_name(uv_fs_close(NULL, NULL, 0, NULL)));
    print("no request: %s", result_name(uv_fs_mkdtemp(&loop, NULL, "x", on_done)));
    print("alive %d", uv_loop_alive(&loop));

    uv_buf_t buffers[6];
    for (size_t i = 0; i < COUNT(buffers); i++) buffers[i] = uv_buf_init(path, 1);
    for (unsigned count = 1; count <= COUNT(buffers); count += 5) {
        uv_fs_read(NULL, &fs, -1, buffers, count, 0, NULL);
        print("sync read: %u buffers left, %d", fs.nbufs, fs.bufs == NULL);
        uv_fs_req_cleanup(&fs);
        uv_fs_write(&loop, &fs, -1, buffers, count, 0, on_done);
        uv_run(&loop, UV_RUN_DEFAULT);
        print("async write: %u buffers left, %d", fs.nbufs, fs.bufs == NULL);
        uv_fs_req_cleanup(&fs);
    }

    uv_fs_statfs(NULL, &fs, ".", NULL);
    print_fields("statfs", ".");
    uv_statfs_t *info = fs.ptr;
    print("  %d %d", info->f_bsize > 0, info->f_blocks >= info->f_bfree);
    uv_fs_req_cleanup(&fs);
    uv_fs_statfs(NULL, &fs, "no", NULL);
    print_fields("statfs of nothing", ".");
    uv_fs_req_cleanup(&fs);
    print("handles: %d %d", uv_get_osfhandle(5), uv_open_osfhandle(7));
    print("size %zu, name %s", uv_req_size(UV_FS), uv_req_type_name(UV_FS));
    print("close %s", code(uv_loop_close(&loop)));
    return 0;
}
