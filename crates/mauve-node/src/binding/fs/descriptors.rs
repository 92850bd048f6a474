//! Operations on open files.

use std::os::fd::RawFd;

use mauve_sys::fs::read_write::{Position, read_into, write_from};
use mauve_sys::fs::{permissions, stat, sync, times};
use rquickjs::{Ctx, Object, Result, TypedArray, Value};

use super::form::{Form, operations, run_into};
use super::paths::{both, numbers, owner};
use crate::binding::{functions, owned};
use crate::host::views::Bytes;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    operations!(object, {
        "close" => (fd: RawFd) owned::close(fd);
        "fstat" => (fd: RawFd) stat::fstat(fd).map(numbers);
        "fchmod" => (fd: RawFd, mode: u32) permissions::fchmod(fd, mode);
        "fchown" => (fd: RawFd, uid: f64, gid: f64)
            permissions::fchown(fd, owner(uid, gid));
        "futimes" => (fd: RawFd, accessed: f64, modified: f64)
            times::futime(fd, both(accessed, modified));
        "fsync" => (fd: RawFd) sync::fsync(fd);
        "fdatasync" => (fd: RawFd) sync::fdatasync(fd);
        "ftruncate" => (fd: RawFd, length: f64) sync::ftruncate(fd, length as i64);
        "write" => (fd: RawFd, bytes: Bytes, position: f64)
            write_from(fd, &bytes.0, at(position)).map(|count| count as f64);
        "writev" => (fd: RawFd, parts: Vec<Bytes>, position: f64) write_all(fd, &parts, position);
    });
    functions!(object, { "read" => read });
    Ok(())
}

/// Below zero: where the descriptor stands.
fn at(position: f64) -> Position {
    Position::from_raw(position as i64)
}

/// Reads up to `length` bytes into `view` from `offset` on.
fn read<'js>(
    ctx: Ctx<'js>,
    fd: RawFd,
    view: TypedArray<'js, u8>,
    offset: usize,
    length: usize,
    position: f64,
    form: Form,
) -> Result<Value<'js>> {
    run_into(&ctx, form, view, offset, move || {
        let mut bytes = vec![0; length];
        let count = read_into(fd, &mut bytes, at(position))?;
        bytes.truncate(count);
        Ok(bytes)
    })
}

/// Several buffers as one write.
fn write_all(fd: RawFd, parts: &[Bytes], position: f64) -> mauve::Result<f64> {
    let bytes: Vec<u8> = parts.iter().flat_map(|part| part.0.iter().copied()).collect();
    write_from(fd, &bytes, at(position)).map(|count| count as f64)
}
