/* A program opens and closes the stretch in which its system calls fail by `prctl(MARK, open)`,
 * which means nothing to the kernel. */
#define MARK 0x6d617576
