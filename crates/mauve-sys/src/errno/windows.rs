//! The error numbers of Windows: those of libuv, because the codes of the system are others.
//!
//! The system has codes of its own for Win32 and for Winsock. `windows_codes.rs` has libuv's number for each,
//! as `uv_translate_sys_error` returns it.

use std::io::{self, ErrorKind};

use windows_sys::Win32::Foundation::{NTSTATUS, RtlNtStatusToDosError};

use super::Errno;
use super::windows_codes::CODES;
pub use super::windows_codes::*;

/// libuv's number of a code of Win32 or Winsock.
pub(super) fn number_of(code: i32) -> i32 {
    let code = code.cast_unsigned();
    let found = CODES.binary_search_by_key(&code, |(known, _)| *known);
    found.map_or(Errno::UNKNOWN, |index| CODES[index].1).raw()
}

/// A code of Win32 or Winsock with this number of libuv. Zero if there is none.
pub(super) fn code_of(error: Errno) -> i32 {
    let found = CODES.iter().find(|(_, known)| *known == error);
    found.map_or(0, |(code, _)| code.cast_signed())
}

/// The error of a system call that returns a status of the kernel.
pub(crate) fn from_status(status: NTSTATUS) -> Errno {
    // SAFETY: takes a number.
    let code = unsafe { RtlNtStatusToDosError(status) };
    Errno::from_raw(number_of(code.cast_signed()))
}

/// The error for the standard library, whose numbers are the codes of the system.
pub(super) fn io_error(error: Errno) -> io::Error {
    let kind = match error {
        Errno::EACCES | Errno::EPERM => ErrorKind::PermissionDenied,
        Errno::EADDRINUSE => ErrorKind::AddrInUse,
        Errno::EADDRNOTAVAIL => ErrorKind::AddrNotAvailable,
        Errno::EAGAIN => ErrorKind::WouldBlock,
        Errno::EBUSY => ErrorKind::ResourceBusy,
        Errno::ECONNABORTED => ErrorKind::ConnectionAborted,
        Errno::ECONNREFUSED => ErrorKind::ConnectionRefused,
        Errno::ECONNRESET => ErrorKind::ConnectionReset,
        Errno::EEXIST => ErrorKind::AlreadyExists,
        Errno::EHOSTUNREACH => ErrorKind::HostUnreachable,
        Errno::EINTR => ErrorKind::Interrupted,
        Errno::EINVAL => ErrorKind::InvalidInput,
        Errno::EISDIR => ErrorKind::IsADirectory,
        Errno::ENETDOWN => ErrorKind::NetworkDown,
        Errno::ENETUNREACH => ErrorKind::NetworkUnreachable,
        Errno::ENOENT => ErrorKind::NotFound,
        Errno::ENOMEM => ErrorKind::OutOfMemory,
        Errno::ENOSPC => ErrorKind::StorageFull,
        Errno::ENOSYS | Errno::ENOTSUP => ErrorKind::Unsupported,
        Errno::ENOTCONN => ErrorKind::NotConnected,
        Errno::ENOTDIR => ErrorKind::NotADirectory,
        Errno::ENOTEMPTY => ErrorKind::DirectoryNotEmpty,
        Errno::EPIPE => ErrorKind::BrokenPipe,
        Errno::EROFS => ErrorKind::ReadOnlyFilesystem,
        Errno::ETIMEDOUT => ErrorKind::TimedOut,
        _ => ErrorKind::Other,
    };
    io::Error::new(kind, error)
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::Foundation::{
        ERROR_ACCESS_DENIED, ERROR_BROKEN_PIPE, ERROR_FILE_NOT_FOUND, STATUS_INVALID_HANDLE,
        WAIT_TIMEOUT,
    };
    use windows_sys::Win32::Networking::WinSock::{WSAECONNRESET, WSAEWOULDBLOCK};

    use super::*;

    #[test]
    fn codes_of_both_kinds_have_the_numbers_of_libuv() {
        let number = |code: u32| Errno::from_raw(number_of(code.cast_signed()));
        assert_eq!(number(ERROR_FILE_NOT_FOUND), Errno::ENOENT);
        assert_eq!(number(ERROR_ACCESS_DENIED), Errno::EPERM);
        assert_eq!(number(ERROR_BROKEN_PIPE), Errno::EOF);
        assert_eq!(number(WSAEWOULDBLOCK.cast_unsigned()), Errno::EAGAIN);
        assert_eq!(number(WSAECONNRESET.cast_unsigned()), Errno::ECONNRESET);
        assert_eq!(number(WAIT_TIMEOUT + 100_000), Errno::UNKNOWN);
        assert_eq!(from_status(STATUS_INVALID_HANDLE), Errno::EBADF);
    }

    #[test]
    fn codes_are_sorted_and_known_once() {
        assert!(CODES.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn an_error_keeps_its_number_in_the_standard_library() {
        for error in [Errno::EAGAIN, Errno::ENOENT, Errno::EAI_NONAME, Errno::EOF] {
            assert_eq!(Errno::from(io::Error::from(error)), error);
        }
        assert_eq!(io::Error::from(Errno::EAGAIN).kind(), ErrorKind::WouldBlock);
    }
}
