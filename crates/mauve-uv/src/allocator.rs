//! Memory that the program owns, and `uv_library_shutdown`.
//!
//! With `uv_replace_allocator` every block that is returned to the program comes from its
//! allocator. Internal memory of the engine uses the Rust allocator.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

use mauve_core::pool::Pool;
use mauve_sys::Errno;

use crate::abi::callbacks::*;
use crate::ffi::negative;
use crate::os::title;
use crate::state;

#[derive(Clone, Copy)]
struct Allocator {
    malloc: unsafe extern "C" fn(usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
}

/// The allocator of the program, or null. Never freed, because another thread may be about to use
/// it.
static REPLACED: AtomicPtr<Allocator> = AtomicPtr::new(null_mut());

#[unsafe(no_mangle)]
pub extern "C" fn uv_replace_allocator(
    malloc: uv_malloc_func,
    realloc: uv_realloc_func,
    calloc: uv_calloc_func,
    free: uv_free_func,
) -> c_int {
    match (malloc, realloc, calloc, free) {
        (Some(malloc), Some(_), Some(_), Some(free)) => {
            let replaced = Box::leak(Box::new(Allocator { malloc, free }));
            REPLACED.store(replaced, Ordering::Release);
            0
        }
        _ => negative(Errno::EINVAL),
    }
}

fn current() -> Allocator {
    let replaced = REPLACED.load(Ordering::Acquire);
    // SAFETY: null, or never freed.
    let replaced = unsafe { replaced.as_ref() };
    replaced.copied().unwrap_or(Allocator { malloc: libc::malloc, free: libc::free })
}

/// Allocates memory for the program; null if that fails.
pub(crate) fn allocate(size: usize) -> *mut c_void {
    // SAFETY: malloc, or the replacement that the program passed.
    unsafe { (current().malloc)(size) }
}

/// Frees memory from [`allocate`].
#[inline]
pub(crate) fn release(memory: *mut c_void) {
    if memory.is_null() {
        return;
    }
    // SAFETY: matches the function that allocated it: programs may replace the allocator only
    // before anything is allocated.
    unsafe { (current().free)(memory) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_library_shutdown() {
    Pool::shut_down_of_process();
    state::close_spare_signal_pipe();
    title::forget();
}
