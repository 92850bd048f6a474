//! What a request of the C ABI is, in words, for those who ask why a loop is alive.

use std::ffi::CStr;

use mauve_core::Token;

use crate::abi::*;

/// What the engine says of a request that it knows by its address only. The request is in flight,
/// so the program keeps its memory.
pub(crate) fn describe(token: Token) -> String {
    let request = token.0 as usize as *const uv_req_t;
    // SAFETY: in flight, see above; a thread of the pool does not write this field.
    let kind = unsafe { (&raw const (*request).r#type).read() };
    if kind == UV_FS {
        return file_operation(request.cast());
    }
    let name = UV_REQ_NAMES.get(kind as usize).copied().flatten();
    name.map_or("unknown request".into(), |name| name.to_string_lossy().into_owned())
}

fn file_operation(request: *const uv_fs_t) -> String {
    // SAFETY: as above, by its type; neither field changes before the callback.
    let (kind, path) =
        unsafe { ((&raw const (*request).fs_type).read(), (&raw const (*request).path).read()) };
    let name = operation_name(kind);
    if path.is_null() {
        return format!("fs {name}");
    }
    // SAFETY: our copy of the program's string, which the request has until it is cleaned up.
    let path = unsafe { CStr::from_ptr(path) };
    format!("fs {name} {}", path.to_string_lossy())
}

fn operation_name(kind: uv_fs_type) -> &'static str {
    match kind {
        UV_FS_OPEN => "open",
        UV_FS_CLOSE => "close",
        UV_FS_READ => "read",
        UV_FS_WRITE => "write",
        UV_FS_SENDFILE => "sendfile",
        UV_FS_STAT => "stat",
        UV_FS_LSTAT => "lstat",
        UV_FS_FSTAT => "fstat",
        UV_FS_FTRUNCATE => "ftruncate",
        UV_FS_UTIME => "utime",
        UV_FS_FUTIME => "futime",
        UV_FS_LUTIME => "lutime",
        UV_FS_ACCESS => "access",
        UV_FS_CHMOD => "chmod",
        UV_FS_FCHMOD => "fchmod",
        UV_FS_FSYNC => "fsync",
        UV_FS_FDATASYNC => "fdatasync",
        UV_FS_UNLINK => "unlink",
        UV_FS_RMDIR => "rmdir",
        UV_FS_MKDIR => "mkdir",
        UV_FS_MKDTEMP => "mkdtemp",
        UV_FS_MKSTEMP => "mkstemp",
        UV_FS_RENAME => "rename",
        UV_FS_SCANDIR => "scandir",
        UV_FS_LINK => "link",
        UV_FS_SYMLINK => "symlink",
        UV_FS_READLINK => "readlink",
        UV_FS_REALPATH => "realpath",
        UV_FS_CHOWN => "chown",
        UV_FS_FCHOWN => "fchown",
        UV_FS_LCHOWN => "lchown",
        UV_FS_COPYFILE => "copyfile",
        UV_FS_OPENDIR => "opendir",
        UV_FS_READDIR => "readdir",
        UV_FS_CLOSEDIR => "closedir",
        UV_FS_STATFS => "statfs",
        _ => "operation",
    }
}
