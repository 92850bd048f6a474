//! Descriptors of the C runtime, which programs in C use for files and pipes. Each is a number for a handle.

use std::ffi::c_int;

use crate::descriptor::{
    BorrowedDescriptor, CLOSED, Descriptor, RawDescriptor, from_crt, into_raw,
};
use crate::{Errno, Result};

unsafe extern "C" {
    fn _get_osfhandle(file: c_int) -> isize;
    fn _open_osfhandle(handle: isize, flags: c_int) -> c_int;
    fn _close(file: c_int) -> c_int;
}

/// Standard input, output and error have the numbers below this one.
const FIRST_OWN: c_int = 3;

/// The handle of a descriptor. [`CLOSED`] if it is not open.
#[doc(alias = "uv_get_osfhandle")]
pub fn handle_of(file: c_int) -> RawDescriptor {
    // SAFETY: takes a number.
    match unsafe { _get_osfhandle(file) } {
        // Standard input, output or error of a program that has none.
        -1 | -2 => CLOSED,
        handle => handle.cast_unsigned(),
    }
}

/// Makes a descriptor for a handle, with the flags of `UV_FS_O_*`. `EMFILE` if there are too many, and then the
/// handle is closed.
pub fn from_descriptor(descriptor: Descriptor, flags: c_int) -> Result<c_int> {
    let raw = into_raw(descriptor);
    // SAFETY: the ownership was given up in the line above.
    match unsafe { open_raw(raw, flags) } {
        -1 => {
            // SAFETY: nothing has taken the ownership.
            drop(unsafe { super::from_raw(raw) });
            Err(Errno::EMFILE)
        }
        file => Ok(file),
    }
}

/// Makes a descriptor for a handle. Returns -1 if there are too many, or the handle is not open.
///
/// # Safety
/// If the handle is open, its owner gives it up.
#[doc(alias = "uv_open_osfhandle")]
pub unsafe fn open_raw(raw: RawDescriptor, flags: c_int) -> c_int {
    // SAFETY: takes numbers.
    unsafe { _open_osfhandle(raw.cast_signed(), flags) }
}

/// Takes the ownership of a descriptor, as a stream does. The standard ones stay open: the stream has a
/// duplicate of their handle, as in libuv.
///
/// # Safety
/// If the number is an open descriptor, its owner gives it up.
pub unsafe fn take(file: c_int) -> Result<Descriptor> {
    let raw = handle_of(file);
    if raw == CLOSED {
        return Err(Errno::EBADF);
    }
    if file < FIRST_OWN {
        // SAFETY: the handle is open.
        return super::duplicate(unsafe { BorrowedDescriptor::borrow_raw(raw) });
    }
    // SAFETY: the descriptor is open, and the caller gives it up.
    Ok(unsafe { from_crt(file, raw) })
}

/// Closes a descriptor. `EBADF` if it is not open.
///
/// # Safety
/// If the number is an open descriptor, the caller must own it.
#[doc(alias = "uv_fs_close")]
pub unsafe fn close(file: c_int) -> Result<()> {
    if handle_of(file) == CLOSED {
        return Err(Errno::EBADF);
    }
    // As in libuv, the standard ones stay open.
    if file < FIRST_OWN {
        return Ok(());
    }
    // SAFETY: the caller owns it.
    if unsafe { _close(file) } == 0 { Ok(()) } else { Err(Errno::last()) }
}

/// Closes a descriptor, and ignores errors: the program may have closed it.
///
/// # Safety
/// If the number is an open descriptor, the caller must own it.
pub(crate) unsafe fn close_raw(file: c_int) {
    // SAFETY: the caller owns it.
    unsafe { _close(file) };
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::descriptor::AsDescriptor as _;

    #[test]
    fn a_descriptor_of_the_c_runtime_owns_its_handle() {
        let (mut writer_end, reader) = {
            let (reader, writer) = std::io::pipe().unwrap();
            (writer, Descriptor::from(reader))
        };
        let raw = reader.raw_descriptor();
        let file = from_descriptor(reader, 0).unwrap();
        assert!(file >= FIRST_OWN);
        assert_eq!(handle_of(file), raw);
        // SAFETY: this test owns the descriptor.
        let stream = unsafe { take(file) }.unwrap();
        assert_eq!(stream.raw_descriptor(), raw);
        writer_end.write_all(b"x").unwrap();
        drop(stream);
        assert_eq!(handle_of(file), CLOSED);
        // SAFETY: the number is not an open descriptor.
        assert_eq!(unsafe { close(file) }, Err(Errno::EBADF));
        assert_eq!(handle_of(-1), CLOSED);
    }
}
