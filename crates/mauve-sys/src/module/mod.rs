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
