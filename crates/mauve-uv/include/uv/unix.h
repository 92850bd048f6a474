/* What the platform decides. Made by `cargo xtask generate`; do not edit.
 *
 * Included by uv.h, which is the one to include. */

#ifndef UV_UNIX_H
#define UV_UNIX_H

#include <sys/types.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/param.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

/* A piece of memory. It has the layout of struct iovec. */
typedef struct uv_buf_t {
    char *base;
    size_t len;
} uv_buf_t;

/* Descriptors and numbers of the system. */
typedef int uv_file;
typedef int uv_os_sock_t;
typedef int uv_os_fd_t;
typedef pid_t uv_pid_t;
typedef gid_t uv_gid_t;
typedef uid_t uv_uid_t;

/* Threads and locks are those of the C library. */
typedef pthread_t uv_thread_t;
typedef pthread_once_t uv_once_t;
typedef pthread_key_t uv_key_t;
typedef pthread_mutex_t uv_mutex_t;
typedef pthread_rwlock_t uv_rwlock_t;
typedef pthread_cond_t uv_cond_t;
typedef pthread_barrier_t uv_barrier_t;
typedef sem_t uv_sem_t;

#define UV_PLATFORM_SEM_T sem_t
#define UV_ONCE_INIT PTHREAD_ONCE_INIT

/* A library that uv_dlopen() has opened. */
typedef struct {
    void *handle;
    char *errmsg;
} uv_lib_t;

/* What a stream, datagram or poll handle watches. Programs that do not want to ask uv_fileno()
 * find the descriptor here; it is -1 while there is none. */
typedef struct uv__io_s {
    void *uv_room_0[6];
    int fd;
} uv__io_t;

/* Whether entries of directories come with their kinds. Programs ask this by #ifdef. */
#if defined(DT_DIR) && !defined(HAVE_DIRENT_TYPES)
# define HAVE_DIRENT_TYPES
#endif

/* How uv_fs_open() opens: the numbers of open(2). What the system does not have is 0. */
#define UV_FS_O_RDONLY O_RDONLY
#define UV_FS_O_WRONLY O_WRONLY
#define UV_FS_O_RDWR O_RDWR
#define UV_FS_O_APPEND O_APPEND
#define UV_FS_O_CREAT O_CREAT
#define UV_FS_O_EXCL O_EXCL
#define UV_FS_O_TRUNC O_TRUNC
#define UV_FS_O_NONBLOCK O_NONBLOCK
#define UV_FS_O_NOCTTY O_NOCTTY
#define UV_FS_O_DSYNC O_DSYNC
#define UV_FS_O_SYNC O_SYNC

/* In no standard for C before 2008: strict modes do not show them. */
#ifdef O_DIRECTORY
# define UV_FS_O_DIRECTORY O_DIRECTORY
#else
# define UV_FS_O_DIRECTORY 0
#endif
#ifdef O_NOFOLLOW
# define UV_FS_O_NOFOLLOW O_NOFOLLOW
#else
# define UV_FS_O_NOFOLLOW 0
#endif
#ifdef O_NOATIME
# define UV_FS_O_NOATIME O_NOATIME
#else
# define UV_FS_O_NOATIME 0
#endif

/* The C library shows this one only to those who ask for GNU's extensions. */
#ifdef O_DIRECT
# define UV_FS_O_DIRECT O_DIRECT
#elif defined(__arm__) || defined(__aarch64__)
# define UV_FS_O_DIRECT 0x10000
#else
# define UV_FS_O_DIRECT 0x04000
#endif

#define UV_FS_O_EXLOCK 0
#define UV_FS_O_SYMLINK 0
#define UV_FS_O_FILEMAP 0
#define UV_FS_O_RANDOM 0
#define UV_FS_O_SEQUENTIAL 0
#define UV_FS_O_SHORT_LIVED 0
#define UV_FS_O_TEMPORARY 0

#endif
