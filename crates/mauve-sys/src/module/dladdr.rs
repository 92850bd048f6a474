//! The modules of the dynamic linker: `dladdr`.

use std::ffi::{CStr, OsStr, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::CodeAddress;

/// Finds the module that contains `address`.
#[doc(alias = "dladdr")]
pub fn module_of(address: u64) -> Option<CodeAddress> {
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: `dladdr` accepts any address and does not access it. `info` is valid to write to.
    let found = unsafe { libc::dladdr(address as usize as *const c_void, &raw mut info) };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: `dladdr` has set it to the loader's name of the module, which is a C string.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    // SAFETY: null, or a string in the symbol table of the module.
    let symbol = (!info.dli_sname.is_null()).then(|| unsafe { CStr::from_ptr(info.dli_sname) });
    let symbol = symbol.map(|symbol| symbol.to_string_lossy().into_owned());
    let path = PathBuf::from(OsStr::from_bytes(name.to_bytes()));
    // The loader has the executable under the name of its start, which may be relative. The kernel's own
    // module is no file.
    let is_file = !name.to_bytes().ends_with(b"vdso.so.1");
    let path = match std::env::current_exe() {
        Ok(executable) if is_file && !path.is_absolute() => executable,
        _ => path,
    };
    let offset = address.wrapping_sub(info.dli_fbase as u64);
    Some(CodeAddress { path, offset, symbol })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(target_feature = "crt-static", ignore = "musl has no `dladdr` in static programs")]
    fn a_function_is_in_the_module_that_defines_it() {
        let own = module_of(module_of as *const () as u64).unwrap();
        assert_eq!(own.path, std::env::current_exe().unwrap());
        let libc = module_of(libc::getpid as *const () as u64).unwrap();
        assert!(libc.path.is_absolute() && libc.offset > 0, "{libc:?}");
        assert_eq!(module_of(8), None);
    }
}
