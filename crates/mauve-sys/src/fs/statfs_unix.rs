//! File system status on systems other than Linux: `statvfs`, which has no type.

use std::ffi::CStr;

use crate::Result;
use crate::fs::call;
use crate::fs::statfs::StatFs;

pub(crate) fn statfs(path: &CStr) -> Result<StatFs> {
    let found = call(|| rustix::fs::statvfs(path))?;
    Ok(StatFs {
        kind: 0,
        block_size: found.f_bsize,
        blocks: found.f_blocks,
        free_blocks: found.f_bfree,
        available_blocks: found.f_bavail,
        files: found.f_files,
        free_files: found.f_ffree,
        fragment_size: found.f_frsize,
    })
}
