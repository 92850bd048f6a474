//! `uv_tty_*`.

use std::ffi::c_int;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, RawFd};

use mauve_core::HandleId;
use mauve_core::handle::stream::{StreamMut, Terminal};
use mauve_sys::driver::Platform;
use mauve_sys::tty::{self, Mode};
use mauve_sys::{Errno, Result, fd};

use crate::abi::*;
use crate::ffi::{Ptr, code, negative};
use crate::stream;

fn base(tty: Ptr<uv_tty_t>) -> Ptr<uv_stream_t> {
    // SAFETY: `stream!` declares every stream with the fields of `uv_stream_t` first.
    unsafe { Ptr::new(tty.raw().cast()) }
}

/// Calls `action` with a terminal, which may be closed: then returns `EBADF`, as libuv does.
fn attempt<R>(
    tty: Ptr<uv_tty_t>,
    call: &str,
    action: impl FnOnce(StreamMut<'_, Platform>) -> Result<R>,
) -> Result<R> {
    stream::with_or(base(tty), call, Errno::EBADF, action)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tty_init(
    loop_: Ptr<uv_loop_t>,
    tty: Ptr<uv_tty_t>,
    terminal: c_int,
    _unused: c_int,
) -> c_int {
    match open(loop_, tty, terminal) {
        Ok(id) => {
            tty.initialise(UV_TTY, loop_, id);
            stream::initialise(base(tty));
            stream::publish(base(tty).raw());
            0
        }
        Err(error) => negative(error),
    }
}

fn open(loop_: Ptr<uv_loop_t>, tty: Ptr<uv_tty_t>, terminal: RawFd) -> Result<HandleId> {
    let kind = fd::fd_type(terminal);
    if let fd::FdType::File | fd::FdType::Unknown = kind {
        return Err(Errno::EINVAL);
    }
    // SAFETY: open, as its type shows. The program transfers its ownership on success; after an
    // error it is not closed.
    let mut terminal = ManuallyDrop::new(unsafe { fd::from_raw(terminal) }?);
    let opening = match kind {
        fd::FdType::Tty => tty::reopen(&mut terminal)?,
        _ => None,
    };
    let (readable, writable) = fd::access_mode(terminal.as_fd())?;
    if kind != fd::FdType::Tty {
        fd::set_nonblocking(terminal.as_raw_fd(), true)?;
    }
    // A terminal that cannot be reopened is shared with other processes, so its flags stay.
    let blocks = opening.is_none() && kind == fd::FdType::Tty;
    let fd = opening.unwrap_or_else(|| ManuallyDrop::into_inner(terminal));
    let terminal = Terminal { fd, readable, writable, blocks };
    Ok(loop_.engine("uv_tty_init", |engine| engine.open_tty(tty.token(), terminal)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tty_set_mode(tty: Ptr<uv_tty_t>, mode: c_int) -> c_int {
    let mode = match mode {
        UV_TTY_MODE_NORMAL => Mode::Normal,
        UV_TTY_MODE_RAW | UV_TTY_MODE_RAW_VT => Mode::Raw,
        UV_TTY_MODE_IO => Mode::Io,
        _ => return negative(Errno::EINVAL),
    };
    code(attempt(tty, "uv_tty_set_mode", |mut stream| stream.set_tty_mode(mode)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tty_reset_mode() -> c_int {
    // Programs call this in signal handlers and read errno afterwards.
    code(tty::restore())
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tty_get_winsize(
    tty: Ptr<uv_tty_t>,
    width: Ptr<c_int>,
    height: Ptr<c_int>,
) -> c_int {
    match attempt(tty, "uv_tty_get_winsize", |mut stream| tty::window_size(stream.fd()?)) {
        Ok((columns, rows)) => {
            width.write(columns.into());
            height.write(rows.into());
            0
        }
        Err(error) => negative(error),
    }
}

/// Has an effect only on Windows.
#[unsafe(no_mangle)]
pub extern "C" fn uv_tty_set_vterm_state(_: c_int) {}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tty_get_vterm_state(_: Ptr<c_int>) -> c_int {
    negative(Errno::ENOTSUP)
}
