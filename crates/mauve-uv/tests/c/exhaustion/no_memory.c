/* The allocator of the program returns NULL: every call that allocates returns UV_ENOMEM. */
#include "test.h"

static uv_loop_t loop;
static int fails, blocks;

static void *failing_malloc(size_t size) {
    if (fails) return NULL;
    blocks++;
    return malloc(size);
}

static void *failing_realloc(void *block, size_t size) {
    if (fails) return NULL;
    blocks += block == NULL;
    return realloc(block, size);
}

static void *failing_calloc(size_t count, size_t size) {
    if (fails) return NULL;
    blocks++;
    return calloc(count, size);
}

static void counting_free(void *block) {
    blocks -= block != NULL;
    free(block);
}

static void on_fs(uv_fs_t *fs) { print("  result %d", (int)fs->result); }

int main(void) {
    uv_fs_t fs;
    uv_env_item_t *items;
    uv_interface_address_t *interfaces;
    uv_cpu_info_t *processors;
    uv_passwd_t user;
    uv_dirent_t entry;
    int count;

    uv_replace_allocator(failing_malloc, failing_realloc, failing_calloc, counting_free);
    uv_loop_init(&loop);
    for (fails = 1; fails >= 0; fails--) {
        print(fails ? "without memory:" : "with memory:");
        uv_loop_t *new_loop = uv_loop_new();
        print("uv_loop_new %d", new_loop != NULL);
        if (new_loop != NULL) uv_loop_delete(new_loop);
        print("uv_fs_stat %s", code(uv_fs_stat(&loop, &fs, "/", on_fs)));
        uv_run(&loop, UV_RUN_DEFAULT);
        uv_fs_req_cleanup(&fs);
        print("uv_fs_rename %s", code(uv_fs_rename(&loop, &fs, "/nowhere/a", "/nowhere/b", on_fs)));
        uv_run(&loop, UV_RUN_DEFAULT);
        uv_fs_req_cleanup(&fs);
        print("uv_fs_mkdtemp %s", code(uv_fs_mkdtemp(NULL, &fs, "/nowhere/XXXXXX", NULL)));
        uv_fs_req_cleanup(&fs);
        int listed = uv_fs_scandir(NULL, &fs, "/proc/self/task", 0, NULL);
        print("uv_fs_scandir %s", listed < 0 ? code(listed) : "some");
        if (listed >= 0) print("  next %s", code(uv_fs_scandir_next(&fs, &entry)));
        uv_fs_req_cleanup(&fs);
        int read = uv_os_environ(&items, &count);
        print("uv_os_environ %s", code(read));
        if (read == 0) uv_os_free_environ(items, count);
        read = uv_interface_addresses(&interfaces, &count);
        print("uv_interface_addresses %s", code(read));
        if (read == 0) uv_free_interface_addresses(interfaces, count);
        read = uv_cpu_info(&processors, &count);
        print("uv_cpu_info %s", code(read));
        if (read == 0) uv_free_cpu_info(processors, count);
        read = uv_os_get_passwd(&user);
        print("uv_os_get_passwd %s", code(read));
        if (read == 0) uv_os_free_passwd(&user);
    }
    print("uv_loop_close %s", code(uv_loop_close(&loop)));
    return 0;
}
