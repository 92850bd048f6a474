//! Values of the registry.

use std::ffi::c_void;
use std::ptr::null_mut;

use windows_sys::Win32::System::Registry::{
    HKEY_LOCAL_MACHINE, RRF_RT_REG_DWORD, RRF_RT_REG_SZ, RegGetValueW,
};

/// A text that the machine has.
pub(super) fn text(key: &str, name: &str) -> Option<String> {
    let mut text = [0u16; 256];
    let (at, room) = (text.as_mut_ptr().cast(), size_of_val(&text) as u32);
    let size = value(key, name, RRF_RT_REG_SZ, at, room)?;
    let text = String::from_utf16_lossy(&text[..size / 2]);
    Some(text.trim_end_matches('\0').trim().to_owned())
}

/// A number that the machine has.
pub(super) fn number(key: &str, name: &str) -> Option<u32> {
    let mut number = 0u32;
    value(key, name, RRF_RT_REG_DWORD, (&raw mut number).cast(), 4)?;
    Some(number)
}

/// Reads a value of at most `size` bytes to `at`. Returns its size.
fn value(key: &str, name: &str, kind: u32, at: *mut c_void, mut size: u32) -> Option<usize> {
    let [key, name] = [key, name].map(|text| text.encode_utf16().chain([0]).collect::<Vec<_>>());
    // SAFETY: both names end with a zero, and the caller has room for that many bytes.
    let result = unsafe {
        let (root, none) = (HKEY_LOCAL_MACHINE, null_mut());
        RegGetValueW(root, key.as_ptr(), name.as_ptr(), kind, none, at, &raw mut size)
    };
    (result == 0).then_some(size as usize)
}
