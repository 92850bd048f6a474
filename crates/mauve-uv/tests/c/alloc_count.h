/* Replaces the allocator to count allocations and bytes, of the program and of the library. */
#ifndef ALLOC_COUNT_H
#define ALLOC_COUNT_H

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

static long allocations, allocated_bytes;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void *counted(void *memory) {
    if (memory != NULL) {
        allocations++;
        allocated_bytes += malloc_usable_size(memory);
    }
    return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void *memalign(size_t align, size_t size) { return counted(__libc_memalign(align, size)); }
void *aligned_alloc(size_t align, size_t size) { return counted(__libc_memalign(align, size)); }

int posix_memalign(void **memory, size_t align, size_t size) {
    *memory = counted(__libc_memalign(align, size));
    return *memory == NULL ? ENOMEM : 0;
}

void *realloc(void *memory, size_t size) {
    if (memory != NULL) allocated_bytes -= malloc_usable_size(memory);
    return counted(__libc_realloc(memory, size));
}

void free(void *memory) {
    if (memory != NULL) allocated_bytes -= malloc_usable_size(memory);
    __libc_free(memory);
}

#endif
