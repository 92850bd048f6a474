//! The machine and its system: names, age, load.

use std::ffi::CString;
use std::time::Duration;

use rustix::system::{sysinfo, uname};

use crate::clock::{self, Clock};

/// What the system is and runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// "Linux".
    pub system: CString,
    /// The version number of the kernel.
    pub release: CString,
    /// Which build of that release.
    pub version: CString,
    /// The architecture: "x86_64".
    pub machine: CString,
}

/// Describes the running system.
#[doc(alias = "uv_os_uname")]
pub fn describe() -> Description {
    let names = uname();
    Description {
        system: names.sysname().into(),
        release: names.release().into(),
        version: names.version().into(),
        machine: names.machine().into(),
    }
}

/// The machine's name in the network.
#[doc(alias = "uv_os_gethostname")]
pub fn host_name() -> CString {
    uname().nodename().into()
}

/// How long the machine has been running.
#[doc(alias = "uv_uptime")]
pub fn uptime() -> Duration {
    // A container may show an age of its own here.
    let text = super::read("/proc/uptime").ok();
    let seconds = text.as_deref().and_then(|text| text.split(' ').next()?.parse().ok());
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_else(|| {
        let (seconds, nanoseconds) = clock::now(Clock::Boottime);
        Duration::new(seconds as u64, nanoseconds)
    })
}

/// How many tasks wanted to run, on average over one, five and fifteen minutes.
#[doc(alias = "uv_loadavg")]
pub fn load_average() -> [f64; 3] {
    let text = super::read("/proc/loadavg").ok();
    // The kernel's own answer is in fractions of 2^16.
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
    fn the_load_is_the_first_three_numbers() {
        assert_eq!(parse_load("0.59 0.31 0.34 3/85 27703\n"), Some([0.59, 0.31, 0.34]));
        assert_eq!(parse_load("0.59 x"), None);
    }

    #[test]
    fn the_machine_has_a_name_and_an_age() {
        assert_eq!(describe().system.to_bytes(), b"Linux");
        assert!(!host_name().is_empty());
        assert!(uptime() > Duration::ZERO);
        assert!(load_average().iter().all(|&load| load >= 0.0));
    }
}
