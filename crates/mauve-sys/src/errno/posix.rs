//! Errors of systems whose error numbers are those of the C ABI.

use super::Errno;

/// The number of an error code of the system: the code itself.
pub(super) fn number_of(code: i32) -> i32 {
    code
}

/// The error for the standard library. Codes of libuv and of the resolver are no codes of the system.
pub(super) fn io_error(error: Errno) -> std::io::Error {
    match error.raw() {
        code @ ..3000 => std::io::Error::from_raw_os_error(code),
        _ => std::io::Error::other(error),
    }
}

impl From<rustix::io::Errno> for Errno {
    fn from(error: rustix::io::Errno) -> Self {
        Self::from_raw(error.raw_os_error())
    }
}

/// The number of an error.
pub(super) fn code_of(error: Errno) -> i32 {
    error.raw()
}
