//! Modules of this process: the executable and its shared libraries.

use std::path::PathBuf;

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        pub use windows::module_of;
    } else {
        mod dladdr;
        pub use dladdr::module_of;
    }
}

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod objects;
        pub(crate) use objects::contains;
    }
}

cfg_if::cfg_if! {
    if #[cfg(all(target_os = "linux", target_env = "gnu"))] {
        mod glibc;
        pub(crate) use glibc::is_replaced;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod other_libc;
        pub(crate) use other_libc::is_replaced;
    }
}

/// Where an address of code is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAddress {
    /// The file of the module.
    pub path: PathBuf,
    /// The distance from the first byte of the module in memory.
    pub offset: u64,
    /// The exported symbol that the address is in or after.
    pub symbol: Option<String>,
}
