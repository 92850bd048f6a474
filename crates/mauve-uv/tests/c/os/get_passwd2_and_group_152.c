/* needs: 1.52 */
/* uv_os_get_passwd2 and uv_os_get_group. */
#include "test.h"

#include <grp.h>

int main(void) {
    uv_passwd_t user;
    uv_group_t group;

    EXPECT(uv_os_get_passwd2(NULL, 0), UV_EINVAL);
    EXPECT(uv_os_get_passwd2(&user, 4000000000u), UV_ENOENT);
    EXPECT(uv_os_get_passwd2(&user, 0), 0);
    EXPECT(strcmp(user.username, "root"), 0);
    uv_os_free_passwd(&user);

    EXPECT(uv_os_get_group(NULL, 0), UV_EINVAL);
    EXPECT(uv_os_get_group(&group, 4000000000u), UV_ENOENT);
    for (struct group *known; (known = getgrent()) != NULL;) {
        int members = 0;
        EXPECT(uv_os_get_group(&group, known->gr_gid), 0);
        EXPECT(group.gid, known->gr_gid);
        EXPECT(strcmp(group.groupname, known->gr_name), 0);
        for (; known->gr_mem[members] != NULL; members++)
            EXPECT(strcmp(group.members[members], known->gr_mem[members]), 0);
        EXPECT(group.members[members] == NULL, 1);
        uv_os_free_group(&group);
        EXPECT(group.groupname == NULL && group.members == NULL, 1);
    }
    uv_os_free_group(&group);
    uv_os_free_group(NULL);
    return 0;
}
