//! Creating temporary files on systems without `mkostemp`.

/// Creates and opens a file, and then has it closed on exec.
///
/// # Safety
/// `name` is null-terminated and writable.
pub unsafe fn mkstemp(name: *mut libc::c_char) -> libc::c_int {
    // SAFETY: the caller promises a valid string. F_SETFD takes only integers.
    unsafe {
        let fd = libc::mkstemp(name);
        if fd >= 0 {
            libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC);
        }
        fd
    }
}
