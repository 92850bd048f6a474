//! On Unix a file is a descriptor of the system.

use std::ffi::c_int;

use mauve_sys::Result;
use mauve_sys::descriptor::{Descriptor, RawDescriptor, into_raw};
use mauve_sys::fd;
use mauve_sys::fs::open;

use crate::abi::{uv_file, uv_os_fd_t, uv_os_sock_t};

/// The descriptor of a file.
#[inline(always)]
pub(crate) fn descriptor(file: uv_file) -> RawDescriptor {
    file
}

/// Gives a descriptor to the program, as a file. The flags are those of `uv_fs_open`.
pub(crate) fn give(descriptor: Descriptor, _flags: c_int) -> Result<uv_file> {
    Ok(into_raw(descriptor))
}

/// Takes the ownership of a file.
///
/// # Safety
/// It is open, and the program gives it up.
pub(crate) unsafe fn take(file: uv_file) -> Result<Descriptor> {
    // SAFETY: the caller promises that.
    unsafe { fd::from_raw(file) }
}

/// Closes a file.
///
/// # Safety
/// The program owns it, and gives it up.
pub(crate) unsafe fn close(file: uv_file) -> Result<()> {
    // SAFETY: the caller promises that.
    unsafe { open::close_raw(file) }
}

/// Gives up a terminal that was opened again. The program keeps its descriptor.
pub(crate) fn give_up_reopened(terminal: Descriptor) {
    let _ = into_raw(terminal);
}

/// Gives a socket to the program.
pub(crate) fn give_socket(socket: Descriptor) -> uv_os_sock_t {
    into_raw(socket)
}

/// The file is a descriptor of the system.
#[unsafe(no_mangle)]
pub extern "C" fn uv_get_osfhandle(file: uv_file) -> uv_os_fd_t {
    file
}

/// The file is a descriptor of the system.
#[unsafe(no_mangle)]
pub extern "C" fn uv_open_osfhandle(fd: uv_os_fd_t) -> uv_file {
    fd
}
