//! Errors: an integer newtype with named constants.
//!
//! Kernels return codes that no list knows, so this is no enum. The names, numbers and messages
//! are libuv's and come from `abi/constants.json` by way of [`generated`].

use std::ffi::CStr;
use std::fmt;

mod generated;

/// What an operation of mauve returns when it can fail.
pub type Result<T, E = Errno> = std::result::Result<T, E>;

/// An error code: the system's `errno`, or one of libuv's own codes above 3000.
///
/// ```
/// use mauve_sys::Errno;
///
/// assert_eq!(Errno::EADDRINUSE.name(), Some("EADDRINUSE"));
/// assert_eq!(Errno::EADDRINUSE.to_string(), "address already in use");
/// assert_eq!(Errno::from_raw(12345).to_string(), "Unknown system error 12345");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Errno(i32);

impl Errno {
    /// Wraps a positive error number.
    pub const fn from_raw(code: i32) -> Self {
        Self(code)
    }

    /// The positive error number; the C ABI returns its negative.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The symbolic name, if libuv has one for this number.
    #[doc(alias = "uv_err_name")]
    pub fn name(self) -> Option<&'static str> {
        self.c_name().map(|name| name.to_str().expect("names are ASCII"))
    }

    /// The message, if libuv has one for this number.
    #[doc(alias = "uv_strerror")]
    pub fn message(self) -> Option<&'static str> {
        self.c_message().map(|message| message.to_str().expect("messages are ASCII"))
    }

    /// [`name`](Self::name) for C.
    pub fn c_name(self) -> Option<&'static CStr> {
        self.entry().map(|entry| entry.name)
    }

    /// [`message`](Self::message) for C.
    pub fn c_message(self) -> Option<&'static CStr> {
        self.entry().map(|entry| entry.message)
    }

    /// The calling thread's last `errno`, for calls that go through libc.
    pub fn last() -> Self {
        Self(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
    }

    fn entry(self) -> Option<&'static Entry> {
        generated::ERRORS.iter().find(|entry| entry.errno == self)
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message() {
            Some(message) => f.write_str(message),
            None => write!(f, "Unknown system error {}", self.0),
        }
    }
}

impl fmt::Debug for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "Errno({})", self.0),
        }
    }
}

impl std::error::Error for Errno {}

impl From<rustix::io::Errno> for Errno {
    fn from(error: rustix::io::Errno) -> Self {
        Self(error.raw_os_error())
    }
}

impl From<Errno> for std::io::Error {
    fn from(error: Errno) -> Self {
        if error.0 < 3000 { Self::from_raw_os_error(error.0) } else { Self::other(error) }
    }
}

impl From<std::io::Error> for Errno {
    fn from(error: std::io::Error) -> Self {
        Self(error.raw_os_error().unwrap_or(libc::EIO))
    }
}

/// One row of the generated table.
struct Entry {
    errno: Errno,
    name: &'static CStr,
    message: &'static CStr,
}
