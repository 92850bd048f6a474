//! Creating temporary files on systems with `mkostemp`.

/// Creates and opens a file that is closed on exec.
///
/// # Safety
/// `name` is null-terminated and writable.
pub unsafe fn mkstemp(name: *mut libc::c_char) -> libc::c_int {
    // SAFETY: the caller promises a valid string.
    unsafe { libc::mkostemp(name, libc::O_CLOEXEC) }
}
