/* Some file systems report only when a file is closed that its bytes were not written: a copy has
 * failed then, and nothing is left of it. */
#include "fs/folder.h"

#include "process/refuse.h"

int main(void) {
    enter_folder();
    put("file", "text", 0600);
    refuse(SYS_close, 0, EIO);
    say("copy: %s", outcome(uv_fs_copyfile(NULL, &fs, "file", "copy", 0, NULL)));
    say("is there: %d", access("copy", F_OK) == 0);
    return 0;
}
