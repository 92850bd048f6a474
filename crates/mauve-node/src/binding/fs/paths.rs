//! Operations on what a path leads to.

use std::ffi::{CStr, CString};

use mauve_sys::fs::copy::{Reflink, copy_file};
use mauve_sys::fs::directory::{self, FileType};
use mauve_sys::fs::permissions::{self, Owner};
use mauve_sys::fs::stat::{self, Stat};
use mauve_sys::fs::times::{self, FileTimes, TimeChange};
use mauve_sys::fs::{links, open, statfs, temporary};
use rquickjs::{Object, Result};

use super::form::{Name, Names, PathArg, operations};
use crate::binding::owned;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    operations!(object, {
        "open" => (path: PathArg, flags: i32, mode: u32)
            open::open(&path, flags, mode).map(owned::keep);
        "stat" => (path: PathArg) stat::stat(&path).map(numbers);
        "lstat" => (path: PathArg) stat::lstat(&path).map(numbers);
        "statfs" => (path: PathArg) statfs(&path);
        "access" => (path: PathArg, mode: i32) permissions::access(&path, mode);
        "chmod" => (path: PathArg, mode: u32) permissions::chmod(&path, mode);
        "chown" => (path: PathArg, uid: f64, gid: f64)
            permissions::chown(&path, owner(uid, gid));
        "lchown" => (path: PathArg, uid: f64, gid: f64)
            permissions::lchown(&path, owner(uid, gid));
        "utimes" => (path: PathArg, accessed: f64, modified: f64)
            times::utime(&path, both(accessed, modified));
        "lutimes" => (path: PathArg, accessed: f64, modified: f64)
            times::lutime(&path, both(accessed, modified));
        "link" => (path: PathArg, new: PathArg) links::link(&path, &new);
        "symlink" => (target: PathArg, path: PathArg) links::symlink(&target, &path);
        "readlink" => (path: PathArg, raw: bool)
            links::readlink(&path).map(|path| name(path, raw));
        "realpath" => (path: PathArg, raw: bool)
            links::realpath(&path).map(|path| name(path, raw));
        "rename" => (path: PathArg, new: PathArg) links::rename(&path, &new);
        "unlink" => (path: PathArg) links::unlink(&path);
        "mkdir" => (path: PathArg, mode: u32) directory::mkdir(&path, mode);
        "rmdir" => (path: PathArg) directory::rmdir(&path);
        "mkdtemp" => (template: PathArg, raw: bool) unique(&template, raw);
        "copyFile" => (from: PathArg, to: PathArg, mode: i32) copy(&from, &to, mode);
        "readdir" => (path: PathArg, raw: bool)
            directory::scandir(&path).map(|entries| listed(entries, raw));
        "opendir" => (path: PathArg, raw: bool) entries(&path, raw);
    });
    Ok(())
}

/// The mode is that of `copyFile`: 1 refuses to replace, 2 shares blocks if it can, 4 insists.
fn copy(from: &CStr, to: &CStr, mode: i32) -> mauve::Result<()> {
    let clone = match mode {
        mode if mode & 4 != 0 => Reflink::Always,
        mode if mode & 2 != 0 => Reflink::Auto,
        _ => Reflink::Never,
    };
    copy_file(from, to, mode & 1 != 0, clone)
}

fn unique(template: &CStr, raw: bool) -> mauve::Result<Name> {
    let (path, made) = temporary::mkdtemp(template);
    made.map(|()| name(path, raw))
}

/// In the order of the file system, as `opendir` gives them.
fn entries(path: &CStr, raw: bool) -> mauve::Result<Names> {
    let entries = directory::Directory::open(path)?.collect::<mauve::Result<Vec<_>>>()?;
    Ok(listed(entries, raw))
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

/// The fields of `Stats` in the order of its constructor; times are seconds and nanoseconds.
pub(super) fn numbers(stat: Stat) -> Vec<f64> {
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

/// -1 leaves an owner as it is.
pub(super) fn owner(uid: f64, gid: f64) -> Owner {
    let id = |number: f64| if number < 0.0 { u32::MAX } else { number as u32 };
    Owner { uid: id(uid), gid: id(gid) }
}

pub(super) fn both(accessed: f64, modified: f64) -> FileTimes {
    FileTimes {
        accessed: TimeChange::from_seconds(accessed),
        modified: TimeChange::from_seconds(modified),
    }
}

fn name(path: CString, raw: bool) -> Name {
    Name { bytes: path.into_bytes(), raw }
}

fn listed(entries: Vec<directory::DirEntry>, raw: bool) -> Names {
    let pair = |entry: directory::DirEntry| (name(entry.name, raw), kind(entry.file_type));
    Names(entries.into_iter().map(pair).collect())
}

/// libuv's numbers for the kinds of entries.
pub(super) fn kind(kind: FileType) -> i32 {
    match kind {
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
