//! Threads and locks: the pthread types of the system.

pub type uv_thread_t = libc::pthread_t;
pub type uv_key_t = libc::pthread_key_t;
pub type uv_once_t = libc::pthread_once_t;
pub type uv_mutex_t = libc::pthread_mutex_t;
pub type uv_rwlock_t = libc::pthread_rwlock_t;
pub type uv_sem_t = libc::sem_t;
pub type uv_cond_t = libc::pthread_cond_t;
pub type uv_barrier_t = libc::pthread_barrier_t;
