//! The time zone of this process.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;

use crate::{Errno, Result};

unsafe extern "C" {
    /// Reads the variable `TZ` again. `localtime_r` reads it only once.
    safe fn tzset();
}

const VARIABLE: &CStr = c"TZ";

/// Sets the time zone by its name, such as `Europe/London`; `None` selects that of the system.
///
/// This changes the environment, like `uv_os_setenv`. The C library may read it on another thread
/// at the same time, so a program should set the zone before it starts threads.
///
/// # Errors
/// `ENOMEM`.
pub fn set(name: Option<&CStr>) -> Result<()> {
    // SAFETY: the strings end with a null byte, and the C library copies them. Its own functions
    // tolerate a change of the environment; the warning above is for others.
    let result = unsafe {
        match name {
            Some(name) => libc::setenv(VARIABLE.as_ptr(), name.as_ptr(), 1),
            None => libc::unsetenv(VARIABLE.as_ptr()),
        }
    };
    if result != 0 {
        return Err(Errno::last());
    }
    tzset();
    Ok(())
}

/// The abbreviation of the local time zone at a time in seconds since 1970, such as `CEST`. It is
/// empty if the time is out of range.
pub fn abbreviation(seconds: i64) -> CString {
    let mut time = MaybeUninit::<libc::tm>::zeroed();
    let mut text = [0_u8; 64];
    #[allow(deprecated)] // The crate libc announces a change of the type for musl.
    let seconds = seconds as libc::time_t;
    // SAFETY: `localtime_r` writes `time`, which is valid as zeros if it fails. `strftime` writes at
    // most the given number of bytes, and a null byte after them.
    unsafe {
        if libc::localtime_r(&raw const seconds, time.as_mut_ptr()).is_null() {
            return CString::default();
        }
        libc::strftime(text.as_mut_ptr().cast(), text.len(), c"%Z".as_ptr(), time.as_ptr());
    }
    CStr::from_bytes_until_nul(&text).map(CStr::to_owned).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    // One test, because the zone is that of the whole process. A zone in POSIX notation needs no
    // files, and has the same meaning everywhere if it includes the rules.
    #[test]
    fn the_zone_can_be_set() {
        set(Some(c"ABC-1DEF,M3.2.0,M11.1.0")).expect("set");
        assert_eq!(abbreviation(0).as_c_str(), c"ABC");
        assert_eq!(abbreviation(200 * 86_400).as_c_str(), c"DEF");
        set(Some(c"UTC0")).expect("set");
        assert_eq!(abbreviation(0).as_c_str(), c"UTC");
    }
}
