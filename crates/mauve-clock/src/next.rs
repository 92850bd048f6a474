//! The functions of the C library.

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use libc::{clockid_t, pthread_cond_t, pthread_mutex_t, sem_t, time_t, timespec, timeval};

/// The C library's function of this name. `version` is that of programs on this platform.
fn find(cache: &AtomicUsize, name: &CStr, version: &CStr) -> usize {
    let mut found = cache.load(Ordering::Relaxed);
    if found == 0 {
        // Without a version the oldest could be found, which has other types.
        // SAFETY: the texts are null-terminated.
        found = unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), version.as_ptr()) } as usize;
        if found == 0 {
            // SAFETY: as before.
            found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) } as usize;
        }
        if found == 0 {
            // The program calls a function that its C library does not have.
            std::process::abort();
        }
        cache.store(found, Ordering::Relaxed);
    }
    found
}

macro_rules! functions {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            /// # Safety
            /// As of the C library's function.
            pub unsafe fn $name($($argument: $type),*) -> $result {
                static FOUND: AtomicUsize = AtomicUsize::new(0);
                let name = concat!(stringify!($name), "\0").as_bytes();
                let name = CStr::from_bytes_with_nul(name).expect("a name");
                let found = find(&FOUND, name, VERSION);
                // SAFETY: the function of this name has this type.
                let function = unsafe {
                    std::mem::transmute::<usize, unsafe extern "C-unwind" fn($($type),*) -> $result>(found)
                };
                // SAFETY: the caller's contract.
                unsafe { function($($argument),*) }
            }
        )*
    };
}

/// The version of `pthread_cond_timedwait`, which is the only one with several.
const VERSION: &CStr = if cfg!(target_arch = "x86_64") { c"GLIBC_2.3.2" } else { c"GLIBC_2.17" };

functions! {
    clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int;
    gettimeofday(time: *mut timeval, zone: *mut c_void) -> c_int;
    time(time: *mut time_t) -> time_t;
    nanosleep(time: *const timespec, left: *mut timespec) -> c_int;
    clock_nanosleep(clock: clockid_t, flags: c_int, time: *const timespec, left: *mut timespec) -> c_int;
    sleep(seconds: c_uint) -> c_uint;
    usleep(micros: libc::useconds_t) -> c_int;
    pthread_cond_timedwait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, until: *const timespec) -> c_int;
    pthread_cond_clockwait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, clock: clockid_t, until: *const timespec) -> c_int;
    pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, until: *const timespec) -> c_int;
    sem_timedwait(semaphore: *mut sem_t, until: *const timespec) -> c_int;
    sem_clockwait(semaphore: *mut sem_t, clock: clockid_t, until: *const timespec) -> c_int;
}
