//! Permissions of a pipe for other users.

use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::{
    ERROR_SUCCESS, GENERIC_READ, GENERIC_WRITE, HANDLE, LocalFree,
};
use windows_sys::Win32::Security::Authorization::{
    EXPLICIT_ACCESS_W, GRANT_ACCESS, GetSecurityInfo, SE_KERNEL_OBJECT, SetEntriesInAclW,
    SetSecurityInfo, TRUSTEE_IS_SID, TRUSTEE_IS_WELL_KNOWN_GROUP,
};
use windows_sys::Win32::Security::{
    ACL, CreateWellKnownSid, DACL_SECURITY_INFORMATION, SECURITY_MAX_SID_SIZE, WinWorldSid,
};
use windows_sys::Win32::Storage::FileSystem::{FILE_READ_ATTRIBUTES, FILE_WRITE_ATTRIBUTES};

use crate::{Errno, Result};

/// Permits all users to read, or to write, in addition to what is permitted already.
pub(super) fn permit(pipe: HANDLE, read: bool, write: bool) -> Result<()> {
    let mut access = 0;
    if read {
        access |= GENERIC_READ | FILE_WRITE_ATTRIBUTES;
    }
    if write {
        access |= GENERIC_WRITE | FILE_READ_ATTRIBUTES;
    }
    let mut everyone = [0u32; SECURITY_MAX_SID_SIZE as usize / 4];
    let (sid, mut size) = (everyone.as_mut_ptr().cast(), size_of_val(&everyone) as u32);
    // SAFETY: there is room for any such identifier.
    if unsafe { CreateWellKnownSid(WinWorldSid, null_mut(), sid, &raw mut size) } == 0 {
        return Err(Errno::last());
    }
    // SAFETY: all bits of the struct may be zero.
    let mut entry: EXPLICIT_ACCESS_W = unsafe { std::mem::zeroed() };
    entry.grfAccessPermissions = access;
    entry.grfAccessMode = GRANT_ACCESS;
    entry.Trustee.TrusteeForm = TRUSTEE_IS_SID;
    entry.Trustee.TrusteeType = TRUSTEE_IS_WELL_KNOWN_GROUP;
    entry.Trustee.ptstrName = sid.cast();
    let (kind, part) = (SE_KERNEL_OBJECT, DACL_SECURITY_INFORMATION);
    let (mut old, mut descriptor): (*mut ACL, _) = (null_mut(), null_mut());
    let mut new: *mut ACL = null_mut();
    // SAFETY: the results are stored in local variables. The old list belongs to the descriptor, which is freed
    // after its last use, as is the new one.
    unsafe {
        let none = null_mut();
        let mut code = GetSecurityInfo(
            pipe,
            kind,
            part,
            none,
            none,
            &raw mut old,
            none.cast(),
            &raw mut descriptor,
        );
        if code == ERROR_SUCCESS {
            code = SetEntriesInAclW(1, &raw const entry, old, &raw mut new);
        }
        if code == ERROR_SUCCESS {
            code = SetSecurityInfo(pipe, kind, part, null_mut(), null_mut(), new, null());
        }
        LocalFree(new.cast());
        LocalFree(descriptor);
        if code == ERROR_SUCCESS { Ok(()) } else { Err(Errno::from_code(code.cast_signed())) }
    }
}
