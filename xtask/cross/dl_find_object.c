/* `_dl_find_object` for musl, which does not have it.
 *
 * The unwinder of a GCC that was built for glibc calls it to find the unwind table of the code at an
 * address. This version searches the loaded objects. */

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* The unwinder refers to these functions weakly, so that a static link would leave them out. */
__attribute__((used)) static void (*const needed[])(void) = {
    (void (*)(void))pthread_once,          (void (*)(void))pthread_key_create,
    (void (*)(void))pthread_getspecific,   (void (*)(void))pthread_setspecific,
    (void (*)(void))pthread_mutex_lock,    (void (*)(void))pthread_mutex_unlock,
};

/* The struct of glibc on x86-64, where the table has no base address. */
struct dl_find_object {
    unsigned long long flags;
    void *map_start;
    void *map_end;
    struct link_map *link_map;
    void *eh_frame;
    unsigned long long reserved[7];
};

struct search {
    uintptr_t address;
    struct dl_find_object *found;
};

static int visit(struct dl_phdr_info *object, size_t size, void *data) {
    struct search *search = data;
    void *table = NULL;
    int contains = 0;
    (void)size;
    for (int at = 0; at < object->dlpi_phnum; at++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[at];
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        uintptr_t end = begin + segment->p_memsz;
        if (segment->p_type == PT_GNU_EH_FRAME) {
            table = (void *)begin;
        } else if (segment->p_type == PT_LOAD && search->address >= begin && search->address < end) {
            contains = 1;
            search->found->map_start = (void *)begin;
            search->found->map_end = (void *)end;
        }
    }
    if (!contains || table == NULL) {
        return 0;
    }
    search->found->flags = 0;
    search->found->link_map = NULL;
    search->found->eh_frame = table;
    return 1;
}

int _dl_find_object(void *address, struct dl_find_object *found) {
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(visit, &search) == 1 ? 0 : -1;
}
