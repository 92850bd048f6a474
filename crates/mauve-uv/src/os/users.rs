//! Users and groups.

use std::ffi::{CString, c_char, c_int, c_ulong};
use std::ptr::null_mut;

use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::fs::path;
use mauve_sys::os::users::{self, Group, User};
use mauve_sys::{Errno, Result};

use crate::abi::*;
use crate::allocator;
use crate::ffi::{Ptr, code, negative};
use crate::system::HAS_USER_IDS;
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_get_passwd(out: Ptr<uv_passwd_t>) -> c_int {
    write_result(out, users::current_user, store_user)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_get_passwd2(out: Ptr<uv_passwd_t>, uid: uv_uid_t) -> c_int {
    if !HAS_USER_IDS {
        return negative(Errno::ENOTSUP);
    }
    write_result(out, || users::user(id_number(uid)), store_user)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_get_group(out: Ptr<uv_group_t>, gid: uv_uid_t) -> c_int {
    if !HAS_USER_IDS {
        return negative(Errno::ENOTSUP);
    }
    write_result(out, || users::group(id_number(gid)), store_group)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_free_passwd(user: Ptr<uv_passwd_t>) {
    if user.is_null() {
        return;
    }
    user.with(|user| {
        // The name is first in the block.
        allocator::release(user.username.cast());
        (user.username, user.shell, user.homedir) = (null_mut(), null_mut(), null_mut());
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_free_group(group: Ptr<uv_group_t>) {
    if group.is_null() {
        return;
    }
    group.with(|group| {
        // The list of members is first in the block.
        allocator::release(group.members.cast());
        (group.groupname, group.members) = (null_mut(), null_mut());
    });
}

fn write_result<C, T>(
    out: Ptr<C>,
    find: impl FnOnce() -> Result<T>,
    convert: impl FnOnce(&T) -> Option<C>,
) -> c_int {
    if out.is_null() {
        return negative(Errno::EINVAL);
    }
    code(with_cancellation_disabled(find).and_then(|found| {
        out.write(convert(&found).ok_or(Errno::ENOMEM)?);
        Ok(())
    }))
}

fn store_user(user: &User) -> Option<uv_passwd_t> {
    let home = path::to_bytes(user.home.as_os_str());
    let shell = path::to_bytes(user.shell.as_os_str());
    let (_, strings) = text::allocate_block(0, &[user.name.to_bytes(), &home, &shell])?;
    Some(uv_passwd_t {
        username: strings[0],
        uid: user.uid as c_ulong,
        gid: user.gid as c_ulong,
        shell: if HAS_USER_IDS { strings[2] } else { null_mut() },
        homedir: strings[1],
    })
}

fn store_group(group: &Group) -> Option<uv_group_t> {
    let mut strings: Vec<&[u8]> = group.members.iter().map(CString::as_bytes).collect();
    strings.push(group.name.to_bytes());
    let header = size_of::<*mut c_char>() * (group.members.len() + 1);
    let (memory, mut strings) = text::allocate_block(header, &strings)?;
    let groupname = strings.pop()?;
    let members = memory.cast::<*mut c_char>();
    // SAFETY: the block starts with space for this list.
    unsafe { text::store_list(&strings, members) };
    Some(uv_group_t { groupname, gid: group.gid as c_ulong, members })
}
