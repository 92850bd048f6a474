//! Errors: an integer newtype with named constants.
//!
//! It is not an enum, because a kernel may return codes that no list contains. The names, numbers
//! and messages are those of libuv; `generated.rs` has them from `abi/constants.json`. The numbers
//! of system errors are those of the platform.

use std::ffi::CStr;
use std::fmt;

/// Declares a constant for each error, and the table of their names and messages.
macro_rules! errors {
    ($($name:ident = $number:expr, $message:literal;)*) => {
        impl Errno {
            $(#[doc = $message]
            pub const $name: Self = Self($number);)*
        }

        pub(super) const ERRORS: &[Entry] = &[$(Entry {
            errno: Errno::$name,
            name: terminated(concat!(stringify!($name), "\0")),
            message: terminated(concat!($message, "\0")),
        }),*];
    };
}

mod generated;
#[cfg(windows)]
mod windows_codes;

// What the error codes of this system are in the C ABI.
cfg_if::cfg_if! {
    if #[cfg(windows)] {
        use windows as native;
        pub(crate) use windows::from_status;
    } else {
        mod posix;
        use posix as native;
        pub(crate) use system::location;
    }
}

// The error numbers of this system.
cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        use windows as system;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
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

/// The result of an operation that can fail.
pub type Result<T, E = Errno> = std::result::Result<T, E>;

/// An error number: an `errno` of the system, or one of libuv's codes above 3000. On Windows, all are libuv's.
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

    /// The error of the calling thread's last system call, after it has failed: `errno`, on Windows
    /// `GetLastError`.
    pub fn last() -> Self {
        std::io::Error::last_os_error().raw_os_error().map_or(Self::EIO, Self::from_code)
    }

    /// The error of the operating system or the resolver. `EIO` if it is another one.
    pub fn of(error: &std::io::Error) -> Self {
        let own = || error.get_ref().and_then(|own| own.downcast_ref::<Self>()).copied();
        error.raw_os_error().map(Self::from_code).or_else(own).unwrap_or(Self::EIO)
    }

    /// The error of a code of the system.
    #[doc(alias = "uv_translate_sys_error")]
    pub fn from_code(code: i32) -> Self {
        Self(native::number_of(code))
    }

    /// A code of the system for the error: its number, on Windows the first code of those that mean the same.
    /// Zero if there is none.
    #[doc(alias = "uv_fs_get_system_error")]
    pub fn code(self) -> i32 {
        native::code_of(self)
    }

    fn entry(self) -> Option<&'static Entry> {
        let number = if self.0 == LIBUVS_EFTYPE { Self::EFTYPE } else { self };
        generated::ERRORS.iter().find(|entry| entry.errno == number)
    }
}

/// libuv's number for `EFTYPE` where the system has none. Programs that were compiled with older system
/// headers contain it.
const LIBUVS_EFTYPE: i32 = 4028;

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

impl From<Errno> for std::io::Error {
    fn from(error: Errno) -> Self {
        native::io_error(error)
    }
}

/// See [`Errno::of`].
impl From<std::io::Error> for Errno {
    fn from(error: std::io::Error) -> Self {
        Self::of(&error)
    }
}

/// One row of the generated table.
struct Entry {
    errno: Errno,
    name: &'static CStr,
    message: &'static CStr,
}

/// A text that ends with a zero byte, as a C string.
const fn terminated(text: &str) -> &CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("the text does not end with its only zero byte"),
    }
}
