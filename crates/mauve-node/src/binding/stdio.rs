//! Synchronous writes to standard output and standard error, for the console and for fatal errors.

use std::os::fd::{AsFd as _, BorrowedFd};

use mauve::Errno;
use rquickjs::{Ctx, Object, Result};
use rustix::event::{PollFd, PollFlags, poll};

use super::{define, throw};
use crate::host::text::Text;
use crate::host::views::Bytes;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "writeText", |ctx: Ctx<'_>, fd: i32, text: Text| {
        write(&ctx, fd, text.0.as_bytes())
    })?;
    define(object, "writeBytes", |ctx: Ctx<'_>, fd: i32, bytes: Bytes| write(&ctx, fd, &bytes.0))?;
    Ok(())
}

fn write(ctx: &Ctx<'_>, fd: i32, bytes: &[u8]) -> Result<()> {
    let written = match fd {
        1 => write_all(std::io::stdout().as_fd(), bytes),
        2 => write_all(std::io::stderr().as_fd(), bytes),
        _ => Err(Errno::EBADF),
    };
    written.or_else(|error| throw(ctx, error))
}

/// Writes all bytes. Polls a non-blocking descriptor whose buffer is full.
fn write_all(fd: BorrowedFd<'_>, mut bytes: &[u8]) -> mauve::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(fd, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) => {
                let mut writable = [PollFd::new(&fd, PollFlags::OUT)];
                // The result does not matter: the next write reports an error.
                let _ = poll(&mut writable, None);
            }
            Err(error) => return Err(Errno::from_raw(error.raw_os_error())),
        }
    }
    Ok(())
}
