/* uv_os_get_passwd. */
#include "test.h"

#include <pwd.h>

int main(void) {
    struct passwd *known = getpwuid(geteuid());
    uv_passwd_t user;

    print("null: %s", code(uv_os_get_passwd(NULL)));
    memset(&user, 0xff, sizeof user);
    print("get: %s", code(uv_os_get_passwd(&user)));
    print("name: %d", strcmp(user.username, known->pw_name) == 0);
    print("home: %d", strcmp(user.homedir, known->pw_dir) == 0);
    print("shell: %d", strcmp(user.shell, known->pw_shell) == 0);
    print("uid and gid: %d %d", user.uid == known->pw_uid, user.gid == known->pw_gid);
    uv_os_free_passwd(&user);
    print("freed: %d %d %d", !user.username, !user.homedir, !user.shell);
    uv_os_free_passwd(&user);
    uv_os_free_passwd(NULL);
    return 0;
}
