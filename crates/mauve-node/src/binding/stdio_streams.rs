//! Opens streams over the standard descriptors: pipes and terminals. The binding `stream` has their
//! operations.

use std::os::fd::{BorrowedFd, OwnedFd};

use mauve::{Errno, Pipe, Tty, TtyMode};
use rquickjs::{Ctx, Object, Result};

use super::{define, owned_fds, stream, throw};
use crate::host::current;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "kind", kind)?;
    define(object, "openPipe", open_pipe)?;
    define(object, "openTerminal", open_terminal)?;
    define(object, "setRawMode", set_raw_mode)?;
    define(object, "windowSize", window_size)?;
    Ok(())
}

/// The type of a descriptor, with the names of Node's `guessHandleType`.
fn kind(fd: i32) -> &'static str {
    use rustix::fs::FileType;
    let Ok(fd) = borrowed(fd) else { return "INVALID" };
    if rustix::termios::isatty(fd) {
        return "TTY";
    }
    let Ok(stat) = rustix::fs::fstat(fd) else { return "INVALID" };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile | FileType::CharacterDevice => "FILE",
        FileType::Fifo => "PIPE",
        FileType::Socket => match rustix::net::getsockname(fd).map(|name| name.address_family()) {
            Ok(rustix::net::AddressFamily::UNIX) => "PIPE",
            Ok(_) => "TCP",
            Err(_) => "UNKNOWN",
        },
        _ => "UNKNOWN",
    }
}

/// Duplicates a descriptor, so that the original stays open when the stream is closed.
fn duplicate(fd: i32) -> mauve::Result<OwnedFd> {
    let fd = rustix::io::dup(borrowed(fd)?);
    fd.map_err(|error| Errno::from_raw(error.raw_os_error()))
}

/// Borrows a standard descriptor. Other descriptors could be closed while they are borrowed.
fn borrowed(fd: i32) -> mauve::Result<BorrowedFd<'static>> {
    match fd {
        0 => Ok(rustix::stdio::stdin()),
        1 => Ok(rustix::stdio::stdout()),
        2 => Ok(rustix::stdio::stderr()),
        _ => Err(Errno::EBADF),
    }
}

/// Opens a pipe over a standard descriptor, or over one whose ownership the script transfers.
fn open_pipe(ctx: Ctx<'_>, fd: i32) -> Result<u64> {
    let owned = if fd > 2 { owned_fds::take(fd) } else { duplicate(fd) };
    let pipe = Pipe::new(&current().lp);
    match owned.and_then(|fd| pipe.open(fd)) {
        Ok(()) => Ok(stream::add(pipe.into())),
        Err(error) => {
            pipe.close();
            throw(&ctx, error)
        }
    }
}

fn open_terminal(ctx: Ctx<'_>, fd: i32) -> Result<u64> {
    match duplicate(fd).and_then(|fd| Tty::new(&current().lp, fd)) {
        Ok(terminal) => Ok(stream::add(terminal.into())),
        Err(error) => throw(&ctx, error),
    }
}

fn set_raw_mode(ctx: Ctx<'_>, id: u64, on: bool) -> Result<()> {
    let mode = if on { TtyMode::Raw } else { TtyMode::Normal };
    let set = stream::find(id)
        .and_then(|stream| Tty::try_from(stream).map_err(|_| Errno::ENOTTY))
        .and_then(|terminal| terminal.set_mode(mode));
    set.or_else(|error| throw(&ctx, error))
}

/// Returns the columns and rows of the terminal at a standard descriptor.
fn window_size(ctx: Ctx<'_>, fd: i32) -> Result<Vec<u16>> {
    let size = borrowed(fd).and_then(|fd| {
        rustix::termios::tcgetwinsize(fd).map_err(|error| Errno::from_raw(error.raw_os_error()))
    });
    match size {
        Ok(size) => Ok(vec![size.ws_col, size.ws_row]),
        Err(error) => throw(&ctx, error),
    }
}
