/* Directories: all at once, and in portions. */
#include "fs/folder.h"

#include <sys/socket.h>
#include <sys/un.h>

static void list(const char *path) {
    uv_dirent_t entry;
    say("scandir: %s, ptr %d", outcome(uv_fs_scandir(NULL, &fs, path, 0, NULL)), fs.ptr != NULL);
    int result;
    while ((result = uv_fs_scandir_next(&fs, &entry)) == 0) say("  %s %d", entry.name, entry.type);
    say("  %s", code(result));
    say("  again: %s", code(uv_fs_scandir_next(&fs, &entry)));
    uv_fs_req_cleanup(&fs);
    uv_fs_req_cleanup(&fs);
}

static int compare(const void *a, const void *b) {
    return strcmp(((uv_dirent_t *)a)->name, ((uv_dirent_t *)b)->name);
}

static void portions(size_t size) {
    uv_dirent_t all[16], part[16];
    size_t count = 0;
    say("in portions of %zu", size);
    assert(uv_fs_opendir(NULL, &fs, "folder", NULL) == 0);
    uv_dir_t *directory = fs.ptr;
    say("  path %s", fs.path);
    uv_fs_req_cleanup(&fs);
    directory->dirents = part;
    directory->nentries = size;
    for (;;) {
        int found = uv_fs_readdir(NULL, &fs, directory, NULL);
        say("  %s, ptr is the directory %d", outcome(found), fs.ptr == directory);
        if (found <= 0) break;
        for (int i = 0; i < found; i++, count++) {
            all[count] = part[i];
            all[count].name = strdup(part[i].name);
        }
        uv_fs_req_cleanup(&fs);
        say("  cleaned up: %d", part[0].name == NULL);
    }
    uv_fs_req_cleanup(&fs);
    say("  closed: %s", outcome(uv_fs_closedir(NULL, &fs, directory, NULL)));
    uv_fs_req_cleanup(&fs);
    qsort(all, count, sizeof all[0], compare);
    for (size_t i = 0; i < count; i++) {
        say("  %s %d", all[i].name, all[i].type);
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
        uv_fs_closedir(&loop, request, opened, noted);
}

static void on_open(uv_fs_t *request) {
    opened = request->ptr;
    uv_fs_req_cleanup(request);
    opened->dirents = found;
    opened->nentries = COUNT(found);
    uv_fs_readdir(&loop, request, opened, on_read);
}

int main(void) {
    enter_folder();
    mkdir("folder", 0755), mkdir("empty", 0755);
    list("empty");
    put("folder/file", "", 0600), put("folder/\xff\x01", "", 0600), put("folder/Zed", "", 0600);
    put("folder/.hidden", "", 0600), put("folder/ space", "", 0600);
    mkdir("folder/inner", 0755), mkfifo("folder/pipe", 0600);
    assert(symlink("nowhere", "folder/link") == 0);
    struct sockaddr_un address = {AF_UNIX, "folder/socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    list("folder");
    list("no");
    list("folder/file");
    portions(1), portions(4), portions(16);

    BOTH("scandir", uv_fs_scandir(&loop, &fs, "folder", 0, cb));
    BOTH("scandir of nothing", uv_fs_scandir(&loop, &fs, "no", 0, cb));
    BOTH("scandir of a file", uv_fs_scandir(&loop, &fs, "folder/file", 0, cb));
    BOTH("opendir of nothing", uv_fs_opendir(&loop, &fs, "no", cb));
    BOTH("opendir of a file", uv_fs_opendir(&loop, &fs, "folder/file", cb));
    BOTH("opendir of a link", uv_fs_opendir(&loop, &fs, "folder/link", cb));
    BOTH("readdir of null", uv_fs_readdir(&loop, &fs, NULL, cb));
    BOTH("closedir of null", uv_fs_closedir(&loop, &fs, NULL, cb));
    assert(uv_fs_opendir(NULL, &fs, "folder", NULL) == 0);
    uv_dir_t *directory = fs.ptr;
    directory->dirents = NULL;
    directory->nentries = 4;
    BOTH("readdir without room", uv_fs_readdir(&loop, &fs, directory, cb));
    assert(uv_fs_closedir(NULL, &fs, directory, NULL) == 0);

    /* A directory that is removed while it is read. */
    assert(uv_fs_opendir(NULL, &fs, "empty", NULL) == 0 && rmdir("empty") == 0);
    directory = fs.ptr;
    directory->dirents = found, directory->nentries = 1;
    say("readdir of a removed one: %s", outcome(uv_fs_readdir(NULL, &fs, directory, NULL)));
    uv_fs_req_cleanup(&fs);
    assert(uv_fs_closedir(NULL, &fs, directory, NULL) == 0);

    called = 0;
    say("async: %s", outcome(uv_fs_opendir(&loop, &fs, "folder", on_open)));
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  entries %d, closed %d", total, called);

    mkdir("crowd", 0755);
    assert(chdir("crowd") == 0);
    put("0", "", 0600);
    char name[16];
    for (int i = 1; i < 100000; i++) {
        sprintf(name, "%d", i);
        /* Another name of the same file costs less than a file; a file can have 65000. */
        if (i % 50000 == 0) put(name, "", 0600);
        else assert(link(i < 50000 ? "0" : "50000", name) == 0);
    }
    assert(chdir("..") == 0);
    uv_dirent_t entry;
    uint64_t hash = 5381;
    say("crowd: %s", outcome(uv_fs_scandir(&loop, &fs, "crowd", 0, noted)));
    uv_run(&loop, UV_RUN_DEFAULT);
    say("  %s", outcome(fs.result));
    while (uv_fs_scandir_next(&fs, &entry) == 0)
        for (const char *c = entry.name; *c; c++) hash = hash * 33 + *c;
    say("  hash %llx", (unsigned long long)hash);
    uv_fs_req_cleanup(&fs);
    return 0;
}
