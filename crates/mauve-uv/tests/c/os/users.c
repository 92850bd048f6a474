/* The user that runs this. */
#include "say.h"

#include <pwd.h>

int main(void) {
    struct passwd *known = getpwuid(geteuid());
    uv_passwd_t user;

    say("nowhere: %s", code(uv_os_get_passwd(NULL)));
    memset(&user, 0xff, sizeof user);
    say("get: %s", code(uv_os_get_passwd(&user)));
    say("name: %d", strcmp(user.username, known->pw_name) == 0);
    say("home: %d", strcmp(user.homedir, known->pw_dir) == 0);
    say("shell: %d", strcmp(user.shell, known->pw_shell) == 0);
    say("numbers: %d %d", user.uid == known->pw_uid, user.gid == known->pw_gid);
    uv_os_free_passwd(&user);
    say("freed: %d %d %d", !user.username, !user.homedir, !user.shell);
    uv_os_free_passwd(&user);
    uv_os_free_passwd(NULL);
    return 0;
}
