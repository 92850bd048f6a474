//! Operations on paths.

use std::ffi::{CStr, CString};

use mauve_sys::fs::copy::{Reflink, copy_file};
use mauve_sys::fs::directory::{self, FileType};
use mauve_sys::fs::permissions::{self, Owner};
use mauve_sys::fs::stat::{self, Stat};
use mauve_sys::fs::times::{self, FileTimes, TimeChange};
use mauve_sys::fs::{links, open, statfs, temporary};
use rquickjs::{Object, Result};

use super::request::{DirEntries, FileName, FsRequest, PathArg};
use crate::binding::{define, owned_fds};

pub(super) fn fill<'js>(object: &Object<'js>) -> Result<()> {
    define(object, "open", |path: PathArg, flags: i32, mode: u32, request: FsRequest<'js>| {
        request.run(move || open::open(&path, flags, mode).map(owned_fds::insert))
    })?;
    define(object, "stat", |path: PathArg, request: FsRequest<'js>| {
        request.run(move || stat::stat(&path).map(stat_fields))
    })?;
    define(object, "lstat", |path: PathArg, request: FsRequest<'js>| {
        request.run(move || stat::lstat(&path).map(stat_fields))
    })?;
    define(object, "statfs", |path: PathArg, request: FsRequest<'js>| {
        request.run(move || statfs(&path))
    })?;
    define(object, "access", |path: PathArg, mode: i32, request: FsRequest<'js>| {
        request.run(move || permissions::access(&path, mode))
    })?;
    define(object, "chmod", |path: PathArg, mode: u32, request: FsRequest<'js>| {
        request.run(move || permissions::chmod(&path, mode))
    })?;
    define(object, "chown", |path: PathArg, uid: f64, gid: f64, request: FsRequest<'js>| {
        request.run(move || permissions::chown(&path, owner(uid, gid)))
    })?;
    define(object, "lchown", |path: PathArg, uid: f64, gid: f64, request: FsRequest<'js>| {
        request.run(move || permissions::lchown(&path, owner(uid, gid)))
    })?;
    define(object, "utimes", |path: PathArg, atime: f64, mtime: f64, request: FsRequest<'js>| {
        request.run(move || times::utime(&path, file_times(atime, mtime)))
    })?;
    define(object, "lutimes", |path: PathArg, atime: f64, mtime: f64, request: FsRequest<'js>| {
        request.run(move || times::lutime(&path, file_times(atime, mtime)))
    })?;
    define(object, "link", |path: PathArg, new: PathArg, request: FsRequest<'js>| {
        request.run(move || links::link(&path, &new))
    })?;
    define(object, "symlink", |target: PathArg, path: PathArg, request: FsRequest<'js>| {
        request.run(move || links::symlink(&target, &path))
    })?;
    define(object, "readlink", |path: PathArg, raw: bool, request: FsRequest<'js>| {
        request.run(move || links::readlink(&path).map(|path| name(path, raw)))
    })?;
    define(object, "realpath", |path: PathArg, raw: bool, request: FsRequest<'js>| {
        request.run(move || links::realpath(&path).map(|path| name(path, raw)))
    })?;
    define(object, "rename", |path: PathArg, new: PathArg, request: FsRequest<'js>| {
        request.run(move || links::rename(&path, &new))
    })?;
    define(object, "unlink", |path: PathArg, request: FsRequest<'js>| {
        request.run(move || links::unlink(&path))
    })?;
    define(object, "mkdir", |path: PathArg, mode: u32, request: FsRequest<'js>| {
        request.run(move || directory::mkdir(&path, mode))
    })?;
    define(object, "rmdir", |path: PathArg, request: FsRequest<'js>| {
        request.run(move || directory::rmdir(&path))
    })?;
    define(object, "mkdtemp", |template: PathArg, raw: bool, request: FsRequest<'js>| {
        request.run(move || make_temp_dir(&template, raw))
    })?;
    define(
        object,
        "copyFile",
        |from: PathArg, to: PathArg, mode: i32, request: FsRequest<'js>| {
            request.run(move || copy_path(&from, &to, mode))
        },
    )?;
    define(object, "readdir", |path: PathArg, raw: bool, request: FsRequest<'js>| {
        request.run(move || directory::scandir(&path).map(|entries| dir_entries(entries, raw)))
    })?;
    define(object, "opendir", |path: PathArg, raw: bool, request: FsRequest<'js>| {
        request.run(move || entries(&path, raw))
    })?;
    Ok(())
}

/// `mode` has the flags of `copyFile`: 1 for `EXCL`, 2 for `FICLONE`, 4 for `FICLONE_FORCE`.
fn copy_path(from: &CStr, to: &CStr, mode: i32) -> mauve::Result<()> {
    let reflink = match mode {
        mode if mode & 4 != 0 => Reflink::Always,
        mode if mode & 2 != 0 => Reflink::Auto,
        _ => Reflink::Never,
    };
    copy_file(from, to, mode & 1 != 0, reflink)
}

fn make_temp_dir(template: &CStr, raw: bool) -> mauve::Result<FileName> {
    let (path, made) = temporary::mkdtemp(template);
    made.map(|()| name(path, raw))
}

/// The entries of a directory, unsorted, for `opendir`.
fn entries(path: &CStr, raw: bool) -> mauve::Result<DirEntries> {
    let entries = directory::Directory::open(path)?.collect::<mauve::Result<Vec<_>>>()?;
    Ok(dir_entries(entries, raw))
}

fn statfs(path: &CStr) -> mauve::Result<Vec<f64>> {
    let found = statfs::statfs(path)?;
    let fields = [
        found.kind,
        found.block_size,
        found.blocks,
        found.free_blocks,
        found.available_blocks,
        found.files,
        found.free_files,
    ];
    Ok(fields.map(|field| field as f64).to_vec())
}

/// The fields of `Stats` in the order of its constructor. Times are seconds and nanoseconds.
pub(super) fn stat_fields(stat: Stat) -> Vec<f64> {
    let mut fields = vec![
        stat.dev as f64,
        f64::from(stat.mode),
        stat.nlink as f64,
        f64::from(stat.uid),
        f64::from(stat.gid),
        stat.rdev as f64,
        stat.blksize as f64,
        stat.ino as f64,
        stat.size as f64,
        stat.blocks as f64,
    ];
    for time in [stat.accessed, stat.modified, stat.changed, stat.created] {
        fields.push(time.seconds as f64);
        fields.push(f64::from(time.nanoseconds));
    }
    fields
}

/// A negative id leaves the owner or the group unchanged.
pub(super) fn owner(uid: f64, gid: f64) -> Owner {
    let id = |number: f64| if number < 0.0 { u32::MAX } else { number as u32 };
    Owner { uid: id(uid), gid: id(gid) }
}

pub(super) fn file_times(atime: f64, mtime: f64) -> FileTimes {
    FileTimes {
        accessed: TimeChange::from_seconds(atime),
        modified: TimeChange::from_seconds(mtime),
    }
}

fn name(path: CString, raw: bool) -> FileName {
    FileName { bytes: path.into_bytes(), raw }
}

fn dir_entries(entries: Vec<directory::DirEntry>, raw: bool) -> DirEntries {
    let pair = |entry: directory::DirEntry| (name(entry.name, raw), dirent_type(entry.file_type));
    DirEntries(entries.into_iter().map(pair).collect())
}

/// libuv's numbers for the types of directory entries.
pub(super) fn dirent_type(file_type: FileType) -> i32 {
    match file_type {
        FileType::Unknown => 0,
        FileType::File => 1,
        FileType::Directory => 2,
        FileType::Symlink => 3,
        FileType::Fifo => 4,
        FileType::Socket => 5,
        FileType::CharacterDevice => 6,
        FileType::BlockDevice => 7,
    }
}
