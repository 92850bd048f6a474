//! The host and its kernel: names, uptime, load average.

use std::ffi::{CStr, CString, c_char};
use std::time::Duration;

use super::system;

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
    // SAFETY: a struct of byte arrays, which may be zero.
    let mut names: libc::utsname = unsafe { std::mem::zeroed() };
    // SAFETY: the call fills the struct with null-terminated names.
    unsafe { libc::uname(&raw mut names) };
    Uname {
        system: name(&names.sysname),
        release: name(&names.release),
        version: name(&names.version),
        machine: name(&names.machine),
    }
}

/// The host name.
#[doc(alias = "uv_os_gethostname")]
pub fn hostname() -> CString {
    let mut name = [0u8; 256];
    // SAFETY: the call writes at most the size of `name`.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    CStr::from_bytes_until_nul(&name).unwrap_or_default().into()
}

/// The name at the beginning of a field.
fn name(field: &[c_char]) -> CString {
    let bytes: Vec<_> =
        field.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect();
    CString::new(bytes).unwrap_or_default()
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
        assert!(!uname().system.is_empty());
        assert!(!hostname().is_empty());
        assert!(uptime() > Duration::ZERO);
        assert!(load_average().iter().all(|&load| load >= 0.0));
    }
}
