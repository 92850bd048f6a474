//! Memory that is handed to the program, and `uv_library_shutdown`.
//!
//! A program that replaces the allocator gets to see every block that crosses the border. What
//! the engine keeps for itself is Rust's business.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

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

/// The program's own, or null. What was put here once stays for ever: another thread may be about
/// to use it.
static REPLACED: AtomicPtr<Allocator> = AtomicPtr::new(null_mut());

#[export]
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

/// Memory for the program; null if there is none.
pub(crate) fn allocate(size: usize) -> *mut c_void {
    // SAFETY: malloc, or the function that the program put in its place.
    unsafe { (current().malloc)(size) }
}

/// Frees what [`allocate`] returned.
#[inline]
pub(crate) fn release(memory: *mut c_void) {
    if memory.is_null() {
        return;
    }
    // SAFETY: the counterpart of the function that made it: programs may replace the allocator
    // only before anything is allocated.
    unsafe { (current().free)(memory) }
}

#[export]
pub extern "C" fn uv_library_shutdown() {
    state::shut_down_pool();
    state::close_spare_signal_pipe();
    title::forget();
}

/// Unloading the library must not leave threads behind in code that is gone.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_UNLOAD: extern "C" fn() = uv_library_shutdown;
