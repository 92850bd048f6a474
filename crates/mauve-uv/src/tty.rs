//! `uv_tty_*`.

use std::ffi::c_int;
use std::mem::ManuallyDrop;

use mauve_core::handle::stream::{StreamMut, Terminal};
use mauve_sys::descriptor::AsDescriptor as _;
use mauve_sys::driver::Platform;
use mauve_sys::tty::{self, Mode};
use mauve_sys::{Errno, Result, fd};

use crate::abi::*;
use crate::ffi::{Ptr, code, negative};
use crate::{file, stream, system};

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
    terminal: uv_file,
    _unused: c_int,
) -> c_int {
    match open(terminal) {
        Ok(terminal) => {
            tty.open(UV_TTY, loop_, "uv_tty_init", |engine, token| {
                engine.open_tty(token, terminal)
            });
            stream::initialise(base(tty));
            stream::publish(base(tty).raw());
            0
        }
        Err(error) => negative(error),
    }
}

fn open(file: uv_file) -> Result<Terminal> {
    let kind = fd::fd_type(file::descriptor(file));
    if let fd::FdType::File | fd::FdType::Unknown = kind {
        return Err(Errno::EINVAL);
    }
    // SAFETY: open, as its type shows. The program transfers its ownership on success; after an
    // error it is not closed.
    let mut terminal = ManuallyDrop::new(unsafe { file::take(file) }?);
    let opening = match kind {
        fd::FdType::Tty => tty::reopen(&mut terminal)?,
        _ => None,
    };
    let opened = opening.as_ref().unwrap_or(&terminal);
    let (readable, writable) = fd::access_mode(opened.as_descriptor())?;
    if kind != fd::FdType::Tty {
        fd::set_nonblocking(terminal.raw_descriptor(), true)?;
    }
    // A terminal that cannot be reopened is shared with other processes, so its flags stay.
    let blocks = opening.is_none() && kind == fd::FdType::Tty;
    let terminal = ManuallyDrop::into_inner(terminal);
    let fd = match opening {
        Some(fd) => {
            file::give_up_reopened(terminal);
            fd
        }
        None => terminal,
    };
    Ok(Terminal { fd, readable, writable, blocks })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tty_set_mode(tty: Ptr<uv_tty_t>, mode: c_int) -> c_int {
    let mode = match mode {
        UV_TTY_MODE_NORMAL => Mode::Normal,
        UV_TTY_MODE_RAW => Mode::Raw,
        UV_TTY_MODE_RAW_VT => Mode::RawVt,
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
pub extern "C" fn uv_tty_set_vterm_state(state: c_int) {
    system::set_vterm_state(state);
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_tty_get_vterm_state(state: Ptr<c_int>) -> c_int {
    code(system::vterm_state().map(|found| state.write(found)))
}
