//! `uv_rwlock_*`.

use std::ffi::c_int;

use mauve_sys::Errno;
use windows_sys::Win32::System::Threading::{
    AcquireSRWLockExclusive, AcquireSRWLockShared, InitializeSRWLock, ReleaseSRWLockExclusive,
    ReleaseSRWLockShared, SRWLOCK, TryAcquireSRWLockExclusive, TryAcquireSRWLockShared,
};

use crate::abi::uv_rwlock_t;
use crate::ffi::{Ptr, negative};

/// The lock at the beginning of the struct, which other threads may use at the same time.
fn slim(lock: Ptr<uv_rwlock_t>) -> *mut SRWLOCK {
    lock.raw().cast()
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_init(lock: Ptr<uv_rwlock_t>) -> c_int {
    // SAFETY: the program guarantees memory for the lock.
    unsafe { InitializeSRWLock(slim(lock)) };
    0
}

/// A slim lock has no resources.
#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_destroy(_: Ptr<uv_rwlock_t>) {}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_rdlock(lock: Ptr<uv_rwlock_t>) {
    // SAFETY: the program guarantees the lock is initialised; concurrent use is allowed.
    unsafe { AcquireSRWLockShared(slim(lock)) };
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_tryrdlock(lock: Ptr<uv_rwlock_t>) -> c_int {
    // SAFETY: as above.
    if unsafe { TryAcquireSRWLockShared(slim(lock)) } { 0 } else { negative(Errno::EBUSY) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_rdunlock(lock: Ptr<uv_rwlock_t>) {
    // SAFETY: as above, and this thread has the lock.
    unsafe { ReleaseSRWLockShared(slim(lock)) };
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_wrlock(lock: Ptr<uv_rwlock_t>) {
    // SAFETY: as above.
    unsafe { AcquireSRWLockExclusive(slim(lock)) };
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_trywrlock(lock: Ptr<uv_rwlock_t>) -> c_int {
    // SAFETY: as above.
    if unsafe { TryAcquireSRWLockExclusive(slim(lock)) } { 0 } else { negative(Errno::EBUSY) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_wrunlock(lock: Ptr<uv_rwlock_t>) {
    // SAFETY: as above, and this thread has the lock.
    unsafe { ReleaseSRWLockExclusive(slim(lock)) };
}
