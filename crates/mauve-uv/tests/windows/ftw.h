/* Walks of directories, to remove them. */
#include <dirent.h>

#define FTW_DEPTH 8
#define FTW_PHYS 1

struct FTW {
    int base, level;
};

SHIM int nftw(const char *path, int (*visit)(const char *, const struct stat *, int, struct FTW *),
              int descriptors, int flags) {
    struct stat info = {0};
    struct FTW at = {0};
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char name[1024];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        nftw(name, visit, descriptors, flags);
    }
    if (folder != NULL) {
        closedir(folder);
        return _rmdir(path);
    }
    _chmod(path, _S_IREAD | _S_IWRITE);
    return visit(path, &info, 0, &at);
}
