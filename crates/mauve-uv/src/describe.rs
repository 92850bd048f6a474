//! Descriptions of C requests, for `mauve why` and for misuse messages.

use std::ffi::CStr;

use mauve_core::Token;

use crate::abi::*;

/// Describes a request that the engine knows only by its address. The request is active, so the
/// program keeps its memory.
pub(crate) fn describe(token: Token) -> String {
    let request = token.0 as usize as *const uv_req_t;
    // SAFETY: the request is active, so the struct is valid. Pool threads do not write this field.
    let kind = unsafe { (&raw const (*request).r#type).read() };
    if kind == UV_FS {
        return file_operation(request.cast());
    }
    type_name(UV_REQ_TYPES, kind)
        .map_or("unknown request".into(), |name| name.to_string_lossy().into_owned())
}

fn file_operation(request: *const uv_fs_t) -> String {
    // SAFETY: an active request, which is a `uv_fs_t` by its type. Neither field changes before the
    // callback.
    let (kind, path) =
        unsafe { ((&raw const (*request).fs_type).read(), (&raw const (*request).path).read()) };
    let name = fs_call(kind).trim_start_matches("uv_fs_");
    if path.is_null() {
        return format!("fs {name}");
    }
    // SAFETY: a copy of the string, which the request owns until `uv_fs_req_cleanup`.
    let path = unsafe { CStr::from_ptr(path) };
    format!("fs {name} {}", path.to_string_lossy())
}

/// The function that starts a file operation of this type.
pub(crate) fn fs_call(kind: uv_fs_type) -> &'static str {
    match kind {
        UV_FS_OPEN => "uv_fs_open",
        UV_FS_CLOSE => "uv_fs_close",
        UV_FS_READ => "uv_fs_read",
        UV_FS_WRITE => "uv_fs_write",
        UV_FS_SENDFILE => "uv_fs_sendfile",
        UV_FS_STAT => "uv_fs_stat",
        UV_FS_LSTAT => "uv_fs_lstat",
        UV_FS_FSTAT => "uv_fs_fstat",
        UV_FS_FTRUNCATE => "uv_fs_ftruncate",
        UV_FS_UTIME => "uv_fs_utime",
        UV_FS_FUTIME => "uv_fs_futime",
        UV_FS_LUTIME => "uv_fs_lutime",
        UV_FS_ACCESS => "uv_fs_access",
        UV_FS_CHMOD => "uv_fs_chmod",
        UV_FS_FCHMOD => "uv_fs_fchmod",
        UV_FS_FSYNC => "uv_fs_fsync",
        UV_FS_FDATASYNC => "uv_fs_fdatasync",
        UV_FS_UNLINK => "uv_fs_unlink",
        UV_FS_RMDIR => "uv_fs_rmdir",
        UV_FS_MKDIR => "uv_fs_mkdir",
        UV_FS_MKDTEMP => "uv_fs_mkdtemp",
        UV_FS_MKSTEMP => "uv_fs_mkstemp",
        UV_FS_RENAME => "uv_fs_rename",
        UV_FS_SCANDIR => "uv_fs_scandir",
        UV_FS_LINK => "uv_fs_link",
        UV_FS_SYMLINK => "uv_fs_symlink",
        UV_FS_READLINK => "uv_fs_readlink",
        UV_FS_REALPATH => "uv_fs_realpath",
        UV_FS_CHOWN => "uv_fs_chown",
        UV_FS_FCHOWN => "uv_fs_fchown",
        UV_FS_LCHOWN => "uv_fs_lchown",
        UV_FS_COPYFILE => "uv_fs_copyfile",
        UV_FS_OPENDIR => "uv_fs_opendir",
        UV_FS_READDIR => "uv_fs_readdir",
        UV_FS_CLOSEDIR => "uv_fs_closedir",
        UV_FS_STATFS => "uv_fs_statfs",
        _ => "uv_fs_*",
    }
}
