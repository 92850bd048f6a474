//! Operations on what a path leads to.

use std::ffi::{CStr, CString};

use mauve_sys::fs::attributes::{self, Owner};
use mauve_sys::fs::copy::{Clone, copy_file};
use mauve_sys::fs::directory::{self, Kind};
use mauve_sys::fs::stat::{self, Stat};
use mauve_sys::fs::times::{self, Change, Times};
use mauve_sys::fs::{links, names, open, temporary, volume};
use rquickjs::{Object, Result};

use super::form::{Name, Names, PathArg, operations};
use crate::binding::owned;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    operations!(object, {
        "open" => (path: PathArg, flags: i32, mode: u32)
            open::open(&path, flags, mode).map(owned::keep);
        "stat" => (path: PathArg) stat::stat(&path).map(numbers);
        "lstat" => (path: PathArg) stat::stat_link(&path).map(numbers);
        "statfs" => (path: PathArg) statfs(&path);
        "access" => (path: PathArg, mode: i32) attributes::access(&path, mode);
        "chmod" => (path: PathArg, mode: u32) attributes::set_mode(&path, mode);
        "chown" => (path: PathArg, uid: f64, gid: f64)
            attributes::set_owner(&path, owner(uid, gid));
        "lchown" => (path: PathArg, uid: f64, gid: f64)
            attributes::set_owner_of_link(&path, owner(uid, gid));
        "utimes" => (path: PathArg, accessed: f64, modified: f64)
            times::set(&path, both(accessed, modified));
        "lutimes" => (path: PathArg, accessed: f64, modified: f64)
            times::set_of_link(&path, both(accessed, modified));
        "link" => (path: PathArg, new: PathArg) links::link(&path, &new);
        "symlink" => (target: PathArg, path: PathArg) links::link_symbolically(&target, &path);
        "readlink" => (path: PathArg, raw: bool)
            links::read_link(&path).map(|path| name(path, raw));
        "realpath" => (path: PathArg, raw: bool)
            links::real_path(&path).map(|path| name(path, raw));
        "rename" => (path: PathArg, new: PathArg) names::rename(&path, &new);
        "unlink" => (path: PathArg) names::unlink(&path);
        "mkdir" => (path: PathArg, mode: u32) names::make_directory(&path, mode);
        "rmdir" => (path: PathArg) names::remove_directory(&path);
        "mkdtemp" => (template: PathArg, raw: bool) unique(&template, raw);
        "copyFile" => (from: PathArg, to: PathArg, mode: i32) copy(&from, &to, mode);
        "readdir" => (path: PathArg, raw: bool)
            directory::list(&path).map(|entries| listed(entries, raw));
        "opendir" => (path: PathArg, raw: bool) entries(&path, raw);
    });
    Ok(())
}

/// The mode is that of `copyFile`: 1 refuses to replace, 2 shares blocks if it can, 4 insists.
fn copy(from: &CStr, to: &CStr, mode: i32) -> mauve::Result<()> {
    let clone = match mode {
        mode if mode & 4 != 0 => Clone::Required,
        mode if mode & 2 != 0 => Clone::IfPossible,
        _ => Clone::No,
    };
    copy_file(from, to, mode & 1 != 0, clone)
}

fn unique(template: &CStr, raw: bool) -> mauve::Result<Name> {
    let (path, made) = temporary::make_directory(template);
    made.map(|()| name(path, raw))
}

/// In the order of the file system, as `opendir` gives them.
fn entries(path: &CStr, raw: bool) -> mauve::Result<Names> {
    let entries = directory::Directory::open(path)?.collect::<mauve::Result<Vec<_>>>()?;
    Ok(listed(entries, raw))
}

fn statfs(path: &CStr) -> mauve::Result<Vec<f64>> {
    let found = volume::stat(path)?;
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
        stat.device as f64,
        f64::from(stat.mode),
        stat.links as f64,
        f64::from(stat.uid),
        f64::from(stat.gid),
        stat.special_device as f64,
        stat.block_size as f64,
        stat.inode as f64,
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

pub(super) fn both(accessed: f64, modified: f64) -> Times {
    Times { accessed: Change::from_seconds(accessed), modified: Change::from_seconds(modified) }
}

fn name(path: CString, raw: bool) -> Name {
    Name { bytes: path.into_bytes(), raw }
}

fn listed(entries: Vec<directory::Entry>, raw: bool) -> Names {
    let pair = |entry: directory::Entry| (name(entry.name, raw), kind(entry.kind));
    Names(entries.into_iter().map(pair).collect())
}

/// libuv's numbers for the kinds of entries.
pub(super) fn kind(kind: Kind) -> i32 {
    match kind {
        Kind::Unknown => 0,
        Kind::File => 1,
        Kind::Directory => 2,
        Kind::Link => 3,
        Kind::Pipe => 4,
        Kind::Socket => 5,
        Kind::CharacterDevice => 6,
        Kind::BlockDevice => 7,
    }
}
