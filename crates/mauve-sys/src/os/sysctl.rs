//! `sysctl`: values of the kernel, by number or by name.

use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use crate::{Errno, Result};

/// Reads a list of numbers of type `T`, such as `c_int`. There are at most `max`.
///
/// # Safety
/// Every bit pattern is a valid `T`.
pub(crate) unsafe fn list<T: Copy>(name: &[c_int], max: usize) -> Result<Vec<T>> {
    let mut values = vec![MaybeUninit::<T>::zeroed(); max];
    let mut size = size_of_val(&values[..]);
    // SAFETY: the name has the length that is passed, and the buffer the size. Some systems declare
    // the name as mutable, but do not change it.
    let failed = unsafe {
        let (at, length) = (name.as_ptr().cast_mut(), name.len());
        libc::sysctl(at, length as _, values.as_mut_ptr().cast(), &raw mut size, null_mut(), 0)
    } == -1;
    if failed {
        return Err(Errno::last());
    }
    values.truncate(size / size_of::<T>());
    // SAFETY: the values are zeroed or written by the system, and the caller promises that every bit
    // pattern is valid.
    Ok(values.into_iter().map(|value| unsafe { value.assume_init() }).collect())
}

/// Reads one number of type `T`.
///
/// # Safety
/// Every bit pattern is a valid `T`.
#[allow(dead_code)] // Only some platforms use it.
pub(crate) unsafe fn value<T: Copy>(name: &[c_int]) -> Result<T> {
    // SAFETY: the caller promises that every bit pattern is valid.
    unsafe { list(name, 1) }?.first().copied().ok_or(Errno::EIO)
}

/// Reads a string.
#[allow(dead_code)] // Only some platforms use it.
pub(crate) fn text(name: &[c_int]) -> Result<String> {
    // SAFETY: every byte is valid.
    let bytes: Vec<u8> = unsafe { list(name, 256) }?;
    let text = CStr::from_bytes_until_nul(&bytes).map_err(|_| Errno::EIO)?;
    Ok(text.to_string_lossy().into_owned())
}
