//! Writing to standard output and standard error at once: for the console, and for errors that
//! must not be lost.

use std::os::fd::{AsFd as _, BorrowedFd};

use mauve::Errno;
use rquickjs::{Coerced, Ctx, Object, Result};
use rustix::event::{PollFd, PollFlags, poll};

use super::{functions, throw};
use crate::host::views::Bytes;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "writeText" => |ctx: Ctx<'_>, fd: i32, text: Coerced<String>| {
            write(&ctx, fd, text.0.as_bytes())
        },
        "writeBytes" => |ctx: Ctx<'_>, fd: i32, bytes: Bytes| write(&ctx, fd, &bytes.0),
    });
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

/// Writes everything, and waits where a descriptor that does not block has no room.
fn write_all(fd: BorrowedFd<'_>, mut bytes: &[u8]) -> mauve::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(fd, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) => {
                let mut room = [PollFd::new(&fd, PollFlags::OUT)];
                // Interrupted or not, the next write tells.
                let _ = poll(&mut room, None);
            }
            Err(error) => return Err(Errno::from_raw(error.raw_os_error())),
        }
    }
    Ok(())
}
