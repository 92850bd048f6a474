//! The modules of the loader of Windows. Their exported symbols are not searched.

use std::ffi::OsString;
use std::os::windows::ffi::OsStringExt as _;
use std::ptr::null_mut;

use windows_sys::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
    GetModuleFileNameW, GetModuleHandleExW,
};

use super::CodeAddress;

/// The size of the longest path.
const MAX_PATH: usize = 1 << 15;

/// Finds the module that contains `address`. It has no symbol.
pub fn module_of(address: u64) -> Option<CodeAddress> {
    let flags =
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    let mut module = null_mut();
    // SAFETY: with these flags the second argument is an address, which is not accessed. The result is
    // stored in a local variable.
    let found =
        unsafe { GetModuleHandleExW(flags, address as usize as *const u16, &raw mut module) };
    if found == 0 {
        return None;
    }
    let mut path = vec![0; MAX_PATH];
    // SAFETY: the buffer has the size that is passed.
    let length = unsafe { GetModuleFileNameW(module, path.as_mut_ptr(), MAX_PATH as u32) };
    let path = OsString::from_wide(&path[..length as usize]).into();
    // The handle of a module is its first byte in memory.
    Some(CodeAddress { path, offset: address.wrapping_sub(module as u64), symbol: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_in_the_module_that_defines_it() {
        let own = module_of(module_of as *const () as u64).unwrap();
        assert_eq!(own.path, std::env::current_exe().unwrap());
        let system = module_of(windows_sys::Win32::Foundation::GetLastError as *const () as u64);
        assert!(system.is_some());
        assert_eq!(module_of(8), None);
    }
}
