//! The host and its kernel: names, uptime, load average.

use std::ffi::CString;
use std::time::Duration;

use super::{common, system};
use crate::Result;

/// The names of the operating system and of the hardware.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "uv_utsname_t")]
#[non_exhaustive]
pub struct Uname {
    /// The operating system: "Linux".
    pub system: CString,
    /// The release of the kernel.
    pub release: CString,
    /// The build of that release.
    pub version: CString,
    /// The architecture: "x86_64".
    pub machine: CString,
}

/// The names of the operating system and of the hardware.
#[doc(alias = "uv_os_uname")]
pub fn uname() -> Result<Uname> {
    common::uname()
}

/// The host name.
#[doc(alias = "uv_os_gethostname")]
pub fn hostname() -> Result<CString> {
    common::hostname()
}

/// The time since boot.
#[doc(alias = "uv_uptime")]
pub fn uptime() -> Duration {
    system::uptime()
}

/// The load average over one, five and fifteen minutes.
#[doc(alias = "uv_loadavg")]
pub fn load_average() -> [f64; 3] {
    system::load_average()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_has_a_name_and_an_uptime() {
        assert!(!uname().unwrap().system.is_empty());
        assert!(!hostname().unwrap().is_empty());
        assert!(uptime() > Duration::ZERO);
        assert!(load_average().iter().all(|&load| load >= 0.0));
    }
}
