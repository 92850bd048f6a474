//! Operations on open files.

use std::os::fd::RawFd;

use mauve_sys::fs::read_batch::FileRead;
use mauve_sys::fs::read_write::{Position, write_from};
use mauve_sys::fs::{permissions, stat, sync, times};
use rquickjs::{Object, Result, TypedArray, Value};

use super::paths::{StatFields, file_times, owner};
use crate::binding::pool_request::PoolRequest;
use crate::binding::{define, owned_fds};
use crate::host::views::Bytes;

pub(super) fn fill<'js>(object: &Object<'js>) -> Result<()> {
    define(object, "close", |fd: RawFd, request: PoolRequest<'js>| {
        request.run(move || owned_fds::close(fd))
    })?;
    define(object, "fstat", |fd: RawFd, request: PoolRequest<'js>| {
        request.run(move || stat::fstat(fd).map(StatFields))
    })?;
    define(object, "fchmod", |fd: RawFd, mode: u32, request: PoolRequest<'js>| {
        request.run(move || permissions::fchmod(fd, mode))
    })?;
    define(object, "fchown", |fd: RawFd, uid: f64, gid: f64, request: PoolRequest<'js>| {
        request.run(move || permissions::fchown(fd, owner(uid, gid)))
    })?;
    define(object, "futimes", |fd: RawFd, atime: f64, mtime: f64, request: PoolRequest<'js>| {
        request.run(move || times::futime(fd, file_times(atime, mtime)))
    })?;
    define(object, "fsync", |fd: RawFd, request: PoolRequest<'js>| {
        request.run(move || sync::fsync(fd))
    })?;
    define(object, "fdatasync", |fd: RawFd, request: PoolRequest<'js>| {
        request.run(move || sync::fdatasync(fd))
    })?;
    define(object, "ftruncate", |fd: RawFd, length: f64, request: PoolRequest<'js>| {
        request.run(move || sync::ftruncate(fd, length as i64))
    })?;
    define(
        object,
        "write",
        |fd: RawFd, bytes: Bytes, position: f64, request: PoolRequest<'js>| {
            request.run(move || {
                write_from(fd, &bytes.0, position_from(position)).map(|count| count as f64)
            })
        },
    )?;
    define(
        object,
        "writev",
        |fd: RawFd, parts: Vec<Bytes>, position: f64, request: PoolRequest<'js>| {
            request.run(move || write_all(fd, &parts, position))
        },
    )?;
    define(object, "read", read)?;
    Ok(())
}

/// A negative position means the current position of the file.
fn position_from(position: f64) -> Position {
    Position::from_raw(position as i64)
}

/// Reads up to `length` bytes into `view` at `offset`.
fn read<'js>(
    fd: RawFd,
    view: TypedArray<'js, u8>,
    offset: usize,
    length: usize,
    position: f64,
    request: PoolRequest<'js>,
) -> Result<Value<'js>> {
    let read = FileRead::owned_from(fd, position_from(position), length, Vec::new());
    request.read_into(view, offset, read)
}

/// Writes several buffers with one call.
fn write_all(fd: RawFd, parts: &[Bytes], position: f64) -> mauve::Result<f64> {
    let bytes: Vec<u8> = parts.iter().flat_map(|part| part.0.iter().copied()).collect();
    write_from(fd, &bytes, position_from(position)).map(|count| count as f64)
}
