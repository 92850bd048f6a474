//! The numbers of values of the kernel, by name.

use std::ffi::{CStr, c_int};

use crate::{Errno, Result};

/// The number of a value, for [`sysctl`](super::sysctl).
pub(crate) fn number(name: &CStr) -> Result<Vec<c_int>> {
    let mut number = [0; 12];
    let mut length = number.len();
    // SAFETY: the name is null-terminated, and there is room for `length` numbers.
    if unsafe { libc::sysctlnametomib(name.as_ptr(), number.as_mut_ptr(), &raw mut length) } == -1 {
        return Err(Errno::last());
    }
    Ok(number[..length].to_vec())
}
