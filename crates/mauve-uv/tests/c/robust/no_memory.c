/* The program's allocator has nothing to give: every call that needs some of it says so. */
#include "say.h"

static uv_loop_t loop;
static int refuses, blocks;

static void *give(size_t size) {
    if (refuses) return NULL;
    blocks++;
    return malloc(size);
}

static void *give_more(void *block, size_t size) {
    if (refuses) return NULL;
    blocks += block == NULL;
    return realloc(block, size);
}

static void *give_clean(size_t count, size_t size) {
    if (refuses) return NULL;
    blocks++;
    return calloc(count, size);
}

static void take_back(void *block) {
    blocks -= block != NULL;
    free(block);
}

static void on_fs(uv_fs_t *fs) { say("  ended %d", (int)fs->result); }

int main(void) {
    uv_fs_t fs;
    uv_env_item_t *items;
    uv_interface_address_t *interfaces;
    uv_cpu_info_t *processors;
    uv_passwd_t user;
    uv_dirent_t entry;
    int count;

    uv_replace_allocator(give, give_more, give_clean, take_back);
    uv_loop_init(&loop);
    for (refuses = 1; refuses >= 0; refuses--) {
        say(refuses ? "without memory:" : "with memory:");
        uv_loop_t *fresh = uv_loop_new();
        say("uv_loop_new %d", fresh != NULL);
        if (fresh != NULL) uv_loop_delete(fresh);
        say("uv_fs_stat %s", code(uv_fs_stat(&loop, &fs, "/", on_fs)));
        uv_run(&loop, UV_RUN_DEFAULT);
        uv_fs_req_cleanup(&fs);
        say("uv_fs_rename %s", code(uv_fs_rename(&loop, &fs, "/nowhere/a", "/nowhere/b", on_fs)));
        uv_run(&loop, UV_RUN_DEFAULT);
        uv_fs_req_cleanup(&fs);
        say("uv_fs_mkdtemp %s", code(uv_fs_mkdtemp(NULL, &fs, "/nowhere/XXXXXX", NULL)));
        uv_fs_req_cleanup(&fs);
        int listed = uv_fs_scandir(NULL, &fs, "/proc/self/task", 0, NULL);
        say("uv_fs_scandir %s", listed < 0 ? code(listed) : "some");
        if (listed >= 0) say("  next %s", code(uv_fs_scandir_next(&fs, &entry)));
        uv_fs_req_cleanup(&fs);
        int read = uv_os_environ(&items, &count);
        say("uv_os_environ %s", code(read));
        if (read == 0) uv_os_free_environ(items, count);
        read = uv_interface_addresses(&interfaces, &count);
        say("uv_interface_addresses %s", code(read));
        if (read == 0) uv_free_interface_addresses(interfaces, count);
        read = uv_cpu_info(&processors, &count);
        say("uv_cpu_info %s", code(read));
        if (read == 0) uv_free_cpu_info(processors, count);
        read = uv_os_get_passwd(&user);
        say("uv_os_get_passwd %s", code(read));
        if (read == 0) uv_os_free_passwd(&user);
    }
    say("uv_loop_close %s", code(uv_loop_close(&loop)));
    return 0;
}
