//! Errors: an integer newtype with named constants.
//!
//! It is not an enum, because a kernel may return codes that no list contains. The names, numbers
//! and messages are those of libuv; `generated.rs` has them from `abi/constants.json`. The numbers of system errors are those of
//! the platform.

use std::ffi::CStr;
use std::fmt;

mod generated;

// The error numbers of this system.
cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod linux;
        use linux as system;
    } else if #[cfg(target_vendor = "apple")] {
        mod apple;
        use apple as system;
    } else if #[cfg(target_os = "freebsd")] {
        mod freebsd;
        use freebsd as system;
    } else if #[cfg(target_os = "dragonfly")] {
        mod dragonfly;
        use dragonfly as system;
    } else if #[cfg(any(target_os = "netbsd", target_os = "openbsd"))] {
        mod bsd;
        use bsd as system;
    } else if #[cfg(any(target_os = "illumos", target_os = "solaris"))] {
        mod solaris;
        use solaris as system;
    } else {
        mod other;
        use other as system;
    }
}

pub(crate) use system::location;

/// The result of an operation that can fail.
pub type Result<T, E = Errno> = std::result::Result<T, E>;

/// An error number: an `errno` of the system, or one of libuv's codes above 3000.
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

    /// The positive error number. The C ABI returns it negated.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// The symbolic name, if libuv defines one for this number.
    #[doc(alias = "uv_err_name")]
    pub fn name(self) -> Option<&'static str> {
        self.c_name().map(|name| name.to_str().expect("names are ASCII"))
    }

    /// The message, if libuv defines one for this number.
    #[doc(alias = "uv_strerror")]
    pub fn message(self) -> Option<&'static str> {
        self.c_message().map(|message| message.to_str().expect("messages are ASCII"))
    }

    /// [`name`](Self::name) as a C string.
    pub fn c_name(self) -> Option<&'static CStr> {
        self.entry().map(|entry| entry.name)
    }

    /// [`message`](Self::message) as a C string.
    pub fn c_message(self) -> Option<&'static CStr> {
        self.entry().map(|entry| entry.message)
    }

    /// The `errno` of the calling thread, after a failed call of libc.
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

/// The error of the operating system or the resolver. `EIO` if it is another one.
impl From<std::io::Error> for Errno {
    fn from(error: std::io::Error) -> Self {
        let own = || error.get_ref().and_then(|own| own.downcast_ref::<Self>()).copied();
        error.raw_os_error().map(Self).or_else(own).unwrap_or(Self::EIO)
    }
}

/// One row of the generated table.
struct Entry {
    errno: Errno,
    name: &'static CStr,
    message: &'static CStr,
}
