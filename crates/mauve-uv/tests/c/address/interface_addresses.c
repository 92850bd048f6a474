/* uv_interface_addresses, uv_if_indextoname and uv_if_indextoiid. */
#include "test.h"

#include <net/if.h>
#include <arpa/inet.h>

static const char *address_name(void *address) {
    static char buffers[2][64];
    static int current;
    char *buffer = buffers[current ^= 1];
    return uv_ip_name(address, buffer, sizeof buffers[0]) == 0 ? buffer : "?";
}

int main(void) {
    uv_interface_address_t *list;
    char name[64];
    size_t size;
    int count;

    print("list: %s", code(uv_interface_addresses(&list, &count)));
    for (int i = 0; i < count; i++) {
        uv_interface_address_t *each = &list[i];
        unsigned char *mac = (unsigned char *)each->phys_addr;
        print("%s internal %d %02x:%02x:%02x:%02x:%02x:%02x %s mask %s scope %u port %d",
              each->name,
              each->is_internal, mac[0], mac[1], mac[2], mac[3], mac[4], mac[5],
              address_name(&each->address), address_name(&each->netmask),
              each->address.address6.sin6_family == AF_INET6 ? each->address.address6.sin6_scope_id
                                                             : 0,
              ntohs(each->address.address4.sin_port));
    }
    uv_free_interface_addresses(list, count);
    uv_free_interface_addresses(NULL, 0);

    unsigned lo = if_nametoindex("lo");
    for (size = 0; size <= 4; size++) {
        size_t used = size;
        strcpy(name, "untouched");
        int result = uv_if_indextoname(lo, name, &used);
        print("name into %zu: %s '%s' %zu", size, code(result), name, used);
        used = size;
        strcpy(name, "untouched");
        result = uv_if_indextoiid(lo, name, &used);
        print("id into %zu: %s '%s' %zu", size, code(result), name, used);
    }
    size = sizeof name;
    print("no such name: %s %zu", code(uv_if_indextoname(1000000, name, &size)), size);
    print("no such id: %s %zu", code(uv_if_indextoiid(0, name, &size)), size);
    print("no buffer: %s", code(uv_if_indextoname(lo, NULL, &size)));
    print("no size: %s", code(uv_if_indextoname(lo, name, NULL)));
    print("no size for the id: %s", code(uv_if_indextoiid(lo, name, NULL)));
    return 0;
}
