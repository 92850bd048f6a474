//! File system status on Linux: `statfs`.

use std::ffi::CStr;

use crate::Result;
use crate::fs::call;
use crate::fs::statfs::StatFs;

pub(crate) fn statfs(path: &CStr) -> Result<StatFs> {
    let found = call(|| rustix::fs::statfs(path))?;
    Ok(StatFs {
        kind: found.f_type as u64,
        block_size: found.f_bsize as u64,
        blocks: found.f_blocks,
        free_blocks: found.f_bfree,
        available_blocks: found.f_bavail,
        files: found.f_files,
        free_files: found.f_ffree,
        fragment_size: found.f_frsize as u64,
    })
}
