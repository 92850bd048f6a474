//! Information about the host, the users and this process.
//!
//! The C ABI uses these functions for the "miscellaneous utilities" of `uv.h`, and the Rust API
//! re-exports them. They do not use a loop, and cache nothing.

mod accounts;
pub mod cpu;
pub mod machine;
pub mod memory;
pub mod paths;
pub mod process;
pub mod random;

// What all Unix systems have in common.
cfg_if::cfg_if! {
    if #[cfg(windows)] {
        pub use windows::{credentials, time_zone, users};
        use windows::{self as common, names};
    } else {
        pub mod credentials;
        mod device;
        mod posix;
        mod posix_names;
        pub mod time_zone;
        pub mod users;
        use posix as common;
        use posix_names as names;
    }
}

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        use windows as system;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod cgroup;
        mod linux;
        use linux as system;
    } else if #[cfg(target_vendor = "apple")] {
        mod apple;
        mod arc4random;
        mod sysctl;
        mod sysctl_names;
        mod unix;
        use apple as system;
    } else if #[cfg(target_os = "freebsd")] {
        mod arc4random;
        mod freebsd;
        mod sysctl;
        mod sysctl_names;
        mod unix;
        use freebsd as system;
    } else if #[cfg(target_os = "dragonfly")] {
        mod arc4random;
        mod dragonfly;
        mod sysctl;
        mod sysctl_names;
        mod unix;
        use dragonfly as system;
    } else if #[cfg(target_os = "netbsd")] {
        mod arc4random;
        mod netbsd;
        mod sysctl;
        mod unix;
        use netbsd as system;
    } else if #[cfg(target_os = "openbsd")] {
        mod arc4random;
        mod openbsd;
        mod sysctl;
        mod unix;
        use openbsd as system;
    } else if #[cfg(any(target_os = "illumos", target_os = "solaris"))] {
        mod arc4random;
        mod solaris;
        mod unix;
        use solaris as system;
    } else {
        mod other;
        mod unix;
        use other as system;
    }
}
