/* Functions of the C library that describe the host fail: a program or a sandbox may refuse them. */
#include "../test.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/utsname.h>

static int error;

static int refuse(void) {
    errno = error;
    return -1;
}

int uname(struct utsname *names) {
    (void) names;
    return refuse();
}

int gethostname(char *name, size_t size) {
    (void) name, (void) size;
    return refuse();
}

int getpriority(__priority_which_t which, id_t id) {
    (void) which, (void) id;
    return refuse();
}

int main(void) {
    uv_utsname_t names;
    char host[256];
    size_t size = sizeof host;
    int priority = 100;
    memset(&names, 'x', sizeof names);
    error = EPERM;
    print("names %s", code(uv_os_uname(&names)));
    print("'%s' '%s' '%s' '%s'", names.sysname, names.release, names.version, names.machine);
    print("host %s", code(uv_os_gethostname(host, &size)));
    print("priority %s", code(uv_os_getpriority(0, &priority)));
    error = 0;
    /* -1 is also a priority. */
    print("priority %s", code(uv_os_getpriority(0, &priority)));
    print("%d", priority);
    return 0;
}
