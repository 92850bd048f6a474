//! The host and its kernel: names, uptime, load average.

use std::ffi::CString;
use std::time::Duration;

use rustix::system::sysinfo;

use crate::clock::{self, Clock};

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
pub fn uname() -> Uname {
    let names = rustix::system::uname();
    Uname {
        system: names.sysname().into(),
        release: names.release().into(),
        version: names.version().into(),
        machine: names.machine().into(),
    }
}

/// The host name.
#[doc(alias = "uv_os_gethostname")]
pub fn hostname() -> CString {
    rustix::system::uname().nodename().into()
}

/// The time since boot.
#[doc(alias = "uv_uptime")]
pub fn uptime() -> Duration {
    // A container may have an uptime of its own here.
    let text = super::read("/proc/uptime").ok();
    let seconds = text.as_deref().and_then(|text| text.split(' ').next()?.parse().ok());
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_else(|| {
        let (seconds, nanoseconds) = clock::now(Clock::Boottime);
        Duration::new(seconds as u64, nanoseconds)
    })
}

/// The load average over one, five and fifteen minutes.
#[doc(alias = "uv_loadavg")]
pub fn load_average() -> [f64; 3] {
    let text = super::read("/proc/loadavg").ok();
    // `sysinfo` returns fixed-point numbers with 16 fractional bits.
    text.as_deref()
        .and_then(parse_load)
        .unwrap_or_else(|| sysinfo().loads.map(|load| load as f64 / 65536.0))
}

fn parse_load(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split(' ').map(str::parse);
    let mut next = || numbers.next()?.ok();
    Some([next()?, next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_load_average_is_the_first_three_numbers() {
        assert_eq!(parse_load("0.59 0.31 0.34 3/85 27703\n"), Some([0.59, 0.31, 0.34]));
        assert_eq!(parse_load("0.59 x"), None);
    }

    #[test]
    fn the_host_has_a_name_and_an_uptime() {
        assert_eq!(uname().system.to_bytes(), b"Linux");
        assert!(!hostname().is_empty());
        assert!(uptime() > Duration::ZERO);
        assert!(load_average().iter().all(|&load| load >= 0.0));
    }
}
