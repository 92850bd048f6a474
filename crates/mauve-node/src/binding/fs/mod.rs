//! Files and directories.
//!
//! Every operation has one name. Without a callback it is synchronous and throws its error. With a
//! callback it runs on the thread pool (see [`PoolRequest`](super::pool_request::PoolRequest)).

use rquickjs::{Object, Result};

mod open_files;
mod paths;
mod request;
mod tree;
mod watch;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    paths::fill(object)?;
    open_files::fill(object)?;
    tree::fill(object)?;
    watch::fill(object)?;
    let constants = Object::new(object.ctx().clone())?;
    for (name, number) in CONSTANTS {
        constants.set(*name, *number)?;
    }
    object.set("constants", constants)?;
    Ok(())
}

/// The values of `fs.constants`, in Node's order.
const CONSTANTS: &[(&str, i32)] = &[
    ("UV_FS_SYMLINK_DIR", 1),
    ("UV_FS_SYMLINK_JUNCTION", 2),
    ("O_RDONLY", libc::O_RDONLY),
    ("O_WRONLY", libc::O_WRONLY),
    ("O_RDWR", libc::O_RDWR),
    ("UV_DIRENT_UNKNOWN", 0),
    ("UV_DIRENT_FILE", 1),
    ("UV_DIRENT_DIR", 2),
    ("UV_DIRENT_LINK", 3),
    ("UV_DIRENT_FIFO", 4),
    ("UV_DIRENT_SOCKET", 5),
    ("UV_DIRENT_CHAR", 6),
    ("UV_DIRENT_BLOCK", 7),
    ("S_IFMT", libc::S_IFMT as i32),
    ("S_IFREG", libc::S_IFREG as i32),
    ("S_IFDIR", libc::S_IFDIR as i32),
    ("S_IFCHR", libc::S_IFCHR as i32),
    ("S_IFBLK", libc::S_IFBLK as i32),
    ("S_IFIFO", libc::S_IFIFO as i32),
    ("S_IFLNK", libc::S_IFLNK as i32),
    ("S_IFSOCK", libc::S_IFSOCK as i32),
    ("O_CREAT", libc::O_CREAT),
    ("O_EXCL", libc::O_EXCL),
    ("UV_FS_O_FILEMAP", 0),
    ("UV_FS_O_TEMPORARY", 0),
    ("UV_FS_O_SHORT_LIVED", 0),
    ("UV_FS_O_SEQUENTIAL", 0),
    ("UV_FS_O_RANDOM", 0),
    ("O_NOCTTY", libc::O_NOCTTY),
    ("O_TRUNC", libc::O_TRUNC),
    ("O_APPEND", libc::O_APPEND),
    ("O_DIRECTORY", libc::O_DIRECTORY),
    ("O_NOATIME", libc::O_NOATIME),
    ("O_NOFOLLOW", libc::O_NOFOLLOW),
    ("O_SYNC", libc::O_SYNC),
    ("O_DSYNC", libc::O_DSYNC),
    ("O_DIRECT", libc::O_DIRECT),
    ("O_NONBLOCK", libc::O_NONBLOCK),
    ("S_IRWXU", libc::S_IRWXU as i32),
    ("S_IRUSR", libc::S_IRUSR as i32),
    ("S_IWUSR", libc::S_IWUSR as i32),
    ("S_IXUSR", libc::S_IXUSR as i32),
    ("S_IRWXG", libc::S_IRWXG as i32),
    ("S_IRGRP", libc::S_IRGRP as i32),
    ("S_IWGRP", libc::S_IWGRP as i32),
    ("S_IXGRP", libc::S_IXGRP as i32),
    ("S_IRWXO", libc::S_IRWXO as i32),
    ("S_IROTH", libc::S_IROTH as i32),
    ("S_IWOTH", libc::S_IWOTH as i32),
    ("S_IXOTH", libc::S_IXOTH as i32),
    ("F_OK", libc::F_OK),
    ("R_OK", libc::R_OK),
    ("W_OK", libc::W_OK),
    ("X_OK", libc::X_OK),
    ("UV_FS_COPYFILE_EXCL", 1),
    ("COPYFILE_EXCL", 1),
    ("UV_FS_COPYFILE_FICLONE", 2),
    ("COPYFILE_FICLONE", 2),
    ("UV_FS_COPYFILE_FICLONE_FORCE", 4),
    ("COPYFILE_FICLONE_FORCE", 4),
];
