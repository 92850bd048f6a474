//! Operations on paths.

use std::ffi::{CStr, CString};

use mauve_sys::fs::copy::{Reflink, copy_file};
use mauve_sys::fs::directory::{self, FileType};
use mauve_sys::fs::permissions::{self, Owner};
use mauve_sys::fs::stat::{self, Stat};
use mauve_sys::fs::times::{self, FileTimes, TimeChange};
use mauve_sys::fs::{links, open, statfs, temporary};
use rquickjs::{Array, BigInt, Ctx, IntoJs, Object, Result, Value};

use super::request::{DirEntries, FileName, PathArg};
use crate::binding::pool_request::PoolRequest;
use crate::binding::{define, owned_fds};

pub(super) fn fill<'js>(object: &Object<'js>) -> Result<()> {
    define(object, "open", |path: PathArg, flags: i32, mode: u32, request: PoolRequest<'js>| {
        request.run(move || open::open(&path, flags, mode).map(owned_fds::insert))
    })?;
    define(object, "stat", |path: PathArg, request: PoolRequest<'js>| {
        request.run(move || stat::stat(&path).map(StatFields))
    })?;
    define(object, "lstat", |path: PathArg, request: PoolRequest<'js>| {
        request.run(move || stat::lstat(&path).map(StatFields))
    })?;
    define(object, "statfs", |path: PathArg, request: PoolRequest<'js>| {
        request.run(move || statfs(&path))
    })?;
    define(object, "access", |path: PathArg, mode: i32, request: PoolRequest<'js>| {
        request.run(move || permissions::access(&path, mode))
    })?;
    define(object, "chmod", |path: PathArg, mode: u32, request: PoolRequest<'js>| {
        request.run(move || permissions::chmod(&path, mode))
    })?;
    define(object, "chown", |path: PathArg, uid: f64, gid: f64, request: PoolRequest<'js>| {
        request.run(move || permissions::chown(&path, owner(uid, gid)))
    })?;
    define(object, "lchown", |path: PathArg, uid: f64, gid: f64, request: PoolRequest<'js>| {
        request.run(move || permissions::lchown(&path, owner(uid, gid)))
    })?;
    define(
        object,
        "utimes",
        |path: PathArg, atime: f64, mtime: f64, request: PoolRequest<'js>| {
            request.run(move || times::utime(&path, file_times(atime, mtime)))
        },
    )?;
    define(
        object,
        "lutimes",
        |path: PathArg, atime: f64, mtime: f64, request: PoolRequest<'js>| {
            request.run(move || times::lutime(&path, file_times(atime, mtime)))
        },
    )?;
    define(object, "link", |path: PathArg, new: PathArg, request: PoolRequest<'js>| {
        request.run(move || links::link(&path, &new))
    })?;
    define(object, "symlink", |target: PathArg, path: PathArg, request: PoolRequest<'js>| {
        request.run(move || links::symlink(&target, &path, links::LinkKind::File))
    })?;
    define(object, "readlink", |path: PathArg, raw: bool, request: PoolRequest<'js>| {
        request.run(move || links::readlink(&path).map(|path| name(path, raw)))
    })?;
    define(object, "realpath", |path: PathArg, raw: bool, request: PoolRequest<'js>| {
        request.run(move || links::realpath(&path).map(|path| name(path, raw)))
    })?;
    define(object, "rename", |path: PathArg, new: PathArg, request: PoolRequest<'js>| {
        request.run(move || links::rename(&path, &new))
    })?;
    define(object, "unlink", |path: PathArg, request: PoolRequest<'js>| {
        request.run(move || links::unlink(&path))
    })?;
    define(object, "mkdir", |path: PathArg, mode: u32, request: PoolRequest<'js>| {
        request.run(move || directory::mkdir(&path, mode))
    })?;
    define(object, "rmdir", |path: PathArg, request: PoolRequest<'js>| {
        request.run(move || directory::rmdir(&path))
    })?;
    define(object, "mkdtemp", |template: PathArg, raw: bool, request: PoolRequest<'js>| {
        request.run(move || make_temp_dir(&template, raw))
    })?;
    define(
        object,
        "copyFile",
        |from: PathArg, to: PathArg, mode: i32, request: PoolRequest<'js>| {
            request.run(move || copy_path(&from, &to, mode))
        },
    )?;
    define(object, "readdir", |path: PathArg, raw: bool, request: PoolRequest<'js>| {
        request.run(move || directory::scandir(&path).map(|entries| dir_entries(entries, raw)))
    })?;
    define(object, "opendir", |path: PathArg, raw: bool, request: PoolRequest<'js>| {
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
        found.fragment_size,
        found.blocks,
        found.free_blocks,
        found.available_blocks,
        found.files,
        found.free_files,
    ];
    Ok(fields.map(|field| field as f64).to_vec())
}

/// The fields of `Stats` in the order of its constructor. Times are seconds and nanoseconds.
pub(super) struct StatFields(pub Stat);

impl<'js> IntoJs<'js> for StatFields {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let stat = self.0;
        let list = Array::new(ctx.clone())?;
        let fields = [
            stat.dev,
            stat.mode.into(),
            stat.nlink,
            stat.uid.into(),
            stat.gid.into(),
            stat.rdev,
            stat.blksize,
            stat.ino,
            stat.size,
            stat.blocks,
        ];
        for (index, field) in fields.into_iter().enumerate() {
            list.set(index, exact(ctx, field)?)?;
        }
        for time in [stat.accessed, stat.modified, stat.changed, stat.created] {
            list.set(list.len(), time.seconds as f64)?;
            list.set(list.len(), f64::from(time.nanoseconds))?;
        }
        Ok(list.into_value())
    }
}

/// A number, or a BigInt where a number is not precise enough. Some file systems have such inodes.
fn exact<'js>(ctx: &Ctx<'js>, field: u64) -> Result<Value<'js>> {
    if field <= 1 << f64::MANTISSA_DIGITS {
        return (field as f64).into_js(ctx);
    }
    BigInt::from_u64(ctx.clone(), field).map(BigInt::into_value)
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

#[cfg(test)]
mod tests {
    use rquickjs::{Context, Runtime};

    use super::exact;

    #[test]
    fn a_large_inode_is_a_bigint() {
        let runtime = Runtime::new().expect("a runtime");
        let context = Context::full(&runtime).expect("a context");
        context.with(|ctx| {
            let small = exact(&ctx, u64::from(u32::MAX)).expect("a value");
            assert_eq!(small.as_number(), Some(4_294_967_295.0));
            let large = exact(&ctx, u64::MAX).expect("a value");
            let global = ctx.globals();
            global.set("large", large).expect("a property");
            assert!(ctx.eval::<bool, _>("large === 2n ** 64n - 1n").expect("a comparison"));
        });
    }
}
