//! Files on DragonFly BSD: `sendfile` to a socket.

pub(crate) use super::cancellable::{fdatasync, fsync};
pub(crate) use super::copy::copy_opened as copy_file;
pub(crate) use super::entry_type::file_type;
pub(crate) use super::mkostemp::mkstemp;
pub(crate) use super::sendfile::send;
pub(crate) use super::sendfile_bsd::sendfile;
pub(crate) use super::times_plain::file_times;
pub(crate) use super::unix::*;

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub(crate) const CANCEL_DISABLE: libc::c_int = 1;
