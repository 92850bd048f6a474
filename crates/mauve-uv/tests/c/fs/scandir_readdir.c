/* uv_fs_scandir, and uv_fs_opendir, uv_fs_readdir and uv_fs_closedir with several batch sizes. */
#include "fs/temp_dir.h"

#include <sys/socket.h>
#include <sys/un.h>

static void print_scandir(const char *path) {
    uv_dirent_t entry;
    print("scandir: %s, ptr %d", result_name(uv_fs_scandir(NULL, &fs, path, 0, NULL)),
          fs.ptr != NULL);
    int result;
    while ((result = uv_fs_scandir_next(&fs, &entry)) == 0)
        print("  %s %d", entry.name, entry.type);
    print("  %s", code(result));
    print("  again: %s", code(uv_fs_scandir_next(&fs, &entry)));
    uv_fs_req_cleanup(&fs);
    uv_fs_req_cleanup(&fs);
}

static int compare(const void *a, const void *b) {
    return strcmp(((uv_dirent_t *)a)->name, ((uv_dirent_t *)b)->name);
}

static void print_readdir(size_t size) {
    uv_dirent_t all[16], batch[16];
    size_t count = 0;
    print("readdir, %zu entries per call", size);
    assert(uv_fs_opendir(NULL, &fs, "dir", NULL) == 0);
    uv_dir_t *directory = fs.ptr;
    print("  path %s", fs.path);
    uv_fs_req_cleanup(&fs);
    directory->dirents = batch;
    directory->nentries = size;
    for (;;) {
        int found = uv_fs_readdir(NULL, &fs, directory, NULL);
        print("  %s, ptr is the directory %d", result_name(found), fs.ptr == directory);
        if (found <= 0) break;
        for (int i = 0; i < found; i++, count++) {
            all[count] = batch[i];
            all[count].name = strdup(batch[i].name);
        }
        uv_fs_req_cleanup(&fs);
        print("  cleaned up: %d", batch[0].name == NULL);
    }
    uv_fs_req_cleanup(&fs);
    print("  closed: %s", result_name(uv_fs_closedir(NULL, &fs, directory, NULL)));
    uv_fs_req_cleanup(&fs);
    qsort(all, count, sizeof all[0], compare);
    for (size_t i = 0; i < count; i++) {
        print("  %s %d", all[i].name, all[i].type);
        free((char *)all[i].name);
    }
}

static uv_dir_t *opened;
static uv_dirent_t found[4];
static int total;

static void on_read(uv_fs_t *request) {
    total += (int)request->result;
    int more = request->result > 0;
    uv_fs_req_cleanup(request);
    if (more)
        uv_fs_readdir(&loop, request, opened, on_read);
    else
        uv_fs_closedir(&loop, request, opened, on_done);
}

static void on_open(uv_fs_t *request) {
    opened = request->ptr;
    uv_fs_req_cleanup(request);
    opened->dirents = found;
    opened->nentries = COUNT(found);
    uv_fs_readdir(&loop, request, opened, on_read);
}

int main(void) {
    enter_temp_dir();
    mkdir("dir", 0755), mkdir("empty", 0755);
    print_scandir("empty");
    write_file("dir/file", "", 0600), write_file("dir/\xff\x01", "", 0600), write_file("dir/Zed",
                                                                                       "", 0600);
    write_file("dir/.hidden", "", 0600), write_file("dir/ space", "", 0600);
    mkdir("dir/inner", 0755), mkfifo("dir/pipe", 0600);
    assert(symlink("nowhere", "dir/link") == 0);
    struct sockaddr_un address = {AF_UNIX, "dir/socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    print_scandir("dir");
    print_scandir("no");
    print_scandir("dir/file");
    print_readdir(1), print_readdir(4), print_readdir(16);

    BOTH("scandir", uv_fs_scandir(&loop, &fs, "dir", 0, cb));
    BOTH("scandir of a missing path", uv_fs_scandir(&loop, &fs, "no", 0, cb));
    BOTH("scandir of a file", uv_fs_scandir(&loop, &fs, "dir/file", 0, cb));
    BOTH("opendir of a missing path", uv_fs_opendir(&loop, &fs, "no", cb));
    BOTH("opendir of a file", uv_fs_opendir(&loop, &fs, "dir/file", cb));
    BOTH("opendir of a link", uv_fs_opendir(&loop, &fs, "dir/link", cb));
    BOTH("readdir of null", uv_fs_readdir(&loop, &fs, NULL, cb));
    BOTH("closedir of null", uv_fs_closedir(&loop, &fs, NULL, cb));
    assert(uv_fs_opendir(NULL, &fs, "dir", NULL) == 0);
    uv_dir_t *directory = fs.ptr;
    directory->dirents = NULL;
    directory->nentries = 4;
    BOTH("readdir without entries", uv_fs_readdir(&loop, &fs, directory, cb));
    assert(uv_fs_closedir(NULL, &fs, directory, NULL) == 0);

    /* A directory that is removed while it is open. */
    assert(uv_fs_opendir(NULL, &fs, "empty", NULL) == 0 && rmdir("empty") == 0);
    directory = fs.ptr;
    directory->dirents = found, directory->nentries = 1;
    print("readdir of a removed directory: %s",
          result_name(uv_fs_readdir(NULL, &fs, directory, NULL)));
    uv_fs_req_cleanup(&fs);
    assert(uv_fs_closedir(NULL, &fs, directory, NULL) == 0);

    callbacks = 0;
    print("async: %s", result_name(uv_fs_opendir(&loop, &fs, "dir", on_open)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  entries %d, closed %d", total, callbacks);

    mkdir("large", 0755);
    assert(chdir("large") == 0);
    write_file("0", "", 0600);
    char name[16];
    for (int i = 1; i < 100000; i++) {
        sprintf(name, "%d", i);
        /* Hard links are cheaper than files. A file can have 65000. */
        if (i % 50000 == 0) write_file(name, "", 0600);
        else assert(link(i < 50000 ? "0" : "50000", name) == 0);
    }
    assert(chdir("..") == 0);
    uv_dirent_t entry;
    uint64_t hash = 5381;
    print("large: %s", result_name(uv_fs_scandir(&loop, &fs, "large", 0, on_done)));
    uv_run(&loop, UV_RUN_DEFAULT);
    print("  %s", result_name(fs.result));
    while (uv_fs_scandir_next(&fs, &entry) == 0)
        for (const char *c = entry.name; *c; c++) hash = hash * 33 + *c;
    print("  hash %llx", (unsigned long long)hash);
    uv_fs_req_cleanup(&fs);
    return 0;
}
