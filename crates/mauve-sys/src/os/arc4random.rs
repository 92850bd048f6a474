//! What macOS, the BSDs and illumos have in common: rights, load, random numbers.

use std::mem::MaybeUninit;

pub(crate) use super::unix::*;
use crate::Result;

/// Whether the program runs with more rights than its user has.
pub(crate) fn is_secure() -> bool {
    unsafe extern "C" {
        // Not declared by the crate libc for every target.
        fn issetugid() -> libc::c_int;
    }
    // SAFETY: takes no arguments.
    unsafe { issetugid() != 0 }
}

pub(crate) fn load_average() -> [f64; 3] {
    let mut loads = [0.0; 3];
    // SAFETY: there is room for three numbers.
    let count = unsafe { libc::getloadavg(loads.as_mut_ptr(), 3) };
    if count == 3 { loads } else { [0.0; 3] }
}

/// Fills `buffer` with random bytes.
pub(crate) fn fill_random(buffer: &mut [MaybeUninit<u8>]) -> Result<()> {
    // SAFETY: the buffer has the size that is passed. The function cannot fail.
    unsafe { libc::arc4random_buf(buffer.as_mut_ptr().cast(), buffer.len()) };
    Ok(())
}
