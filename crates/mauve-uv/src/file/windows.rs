//! On Windows a file is a number of the C runtime for a handle.

use std::ffi::c_int;

use mauve_sys::Result;
use mauve_sys::descriptor::{Descriptor, RawDescriptor, into_raw};
use mauve_sys::fd::crt;

use crate::abi::{uv_file, uv_os_fd_t, uv_os_sock_t};

/// The handle of a file.
pub(crate) fn descriptor(file: uv_file) -> RawDescriptor {
    crt::handle_of(file)
}

/// Gives a handle to the program, as a file. The flags are those of `uv_fs_open`.
pub(crate) fn give(descriptor: Descriptor, flags: c_int) -> Result<uv_file> {
    crt::from_descriptor(descriptor, flags)
}

/// Takes the ownership of a file.
///
/// # Safety
/// If it is open, the program gives it up.
pub(crate) unsafe fn take(file: uv_file) -> Result<Descriptor> {
    // SAFETY: the caller promises that.
    unsafe { crt::take(file) }
}

/// Closes a file.
///
/// # Safety
/// The program owns it, and gives it up.
pub(crate) unsafe fn close(file: uv_file) -> Result<()> {
    // SAFETY: the caller promises that.
    unsafe { crt::close(file) }
}

/// Drops the duplicate that takes the place of a console which was opened again.
pub(crate) fn give_up_reopened(terminal: Descriptor) {
    drop(terminal);
}

/// Gives a socket to the program.
pub(crate) fn give_socket(socket: Descriptor) -> uv_os_sock_t {
    into_raw(socket)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_get_osfhandle(file: uv_file) -> uv_os_fd_t {
    crt::handle_of(file)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_open_osfhandle(handle: uv_os_fd_t) -> uv_file {
    // SAFETY: the program owns the handle, and gives it up on success.
    unsafe { crt::open_raw(handle, 0) }
}
