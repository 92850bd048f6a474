//! The time zone of this process, which is that of the system.

use std::ffi::{CStr, CString};

use crate::{Errno, Result};

/// # Errors
/// `ENOSYS`: the system has no database of zones by these names.
pub fn set(_name: Option<&CStr>) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// Empty: zones have no abbreviations.
pub fn abbreviation(_seconds: i64) -> CString {
    CString::default()
}
