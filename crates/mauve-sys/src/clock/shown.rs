//! Passes another time to the preloaded object that replaces the clock functions of the C library.

use std::ffi::c_void;

use super::ShownTime;

/// The function of the preloaded object (crate `mauve-clock`).
type Use = unsafe extern "C" fn(*const ShownTime);

pub(super) fn show(time: ShownTime) -> bool {
    // SAFETY: the name is null-terminated.
    let found: *mut c_void =
        unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"mauve_clock_use".as_ptr()) };
    if found.is_null() {
        return false;
    }
    // SAFETY: only that object has a function of this name, and it has this type.
    let show = unsafe { std::mem::transmute::<*mut c_void, Use>(found) };
    // SAFETY: it copies what the pointer refers to.
    unsafe { show(&raw const time) };
    true
}
