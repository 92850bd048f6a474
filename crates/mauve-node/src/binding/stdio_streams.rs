//! Streams over the standard descriptors: pipes and terminals. JavaScript identifies each by a key.

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::fd::{BorrowedFd, OwnedFd};

use mauve::{Errno, Pipe, Tty, TtyMode};
use rquickjs::{Ctx, Object, Result, TypedArray};

use super::native_stream::NativeStream;
use super::stream::{Callback, complete};
use super::{define, number, owned_fds, throw};
use crate::host::current;
use crate::host::views::Bytes;

thread_local! {
    static STREAMS: RefCell<HashMap<u32, NativeStream>> = RefCell::default();
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "kind", kind)?;
    define(object, "openPipe", open_pipe)?;
    define(object, "openTerminal", open_terminal)?;
    define(object, "readStart", read_start)?;
    define(object, "readStop", |key: u32| with(key, |stream| stream.read_stop()))?;
    define(object, "write", write)?;
    define(object, "shutdown", shutdown)?;
    define(object, "close", close)?;
    define(object, "setRef", set_ref)?;
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
fn open_pipe(ctx: Ctx<'_>, fd: i32) -> Result<u32> {
    let owned = if fd > 2 { owned_fds::take(fd) } else { duplicate(fd) };
    let pipe = Pipe::new(&current().lp);
    match owned.and_then(|fd| pipe.open(fd)) {
        Ok(()) => Ok(insert(NativeStream::Pipe(pipe))),
        Err(error) => {
            pipe.close();
            throw(&ctx, error)
        }
    }
}

fn open_terminal(ctx: Ctx<'_>, fd: i32) -> Result<u32> {
    match duplicate(fd).and_then(|fd| Tty::new(&current().lp, fd)) {
        Ok(terminal) => Ok(insert(NativeStream::Tty(terminal))),
        Err(error) => throw(&ctx, error),
    }
}

fn insert(stream: NativeStream) -> u32 {
    STREAMS.with_borrow_mut(|streams| {
        let key = streams.keys().max().map_or(1, |last| last + 1);
        streams.insert(key, stream);
        key
    })
}

fn with(key: u32, work: impl FnOnce(&NativeStream)) {
    STREAMS.with_borrow(|streams| streams.get(&key).map(work));
}

fn attempt<T>(
    ctx: &Ctx<'_>,
    key: u32,
    work: impl FnOnce(&NativeStream) -> mauve::Result<T>,
) -> Result<T> {
    let done = STREAMS.with_borrow(|streams| streams.get(&key).map(work));
    done.unwrap_or(Err(Errno::EBADF)).or_else(|error| throw(ctx, error))
}

/// Calls back with an errno, or with 0 and the bytes; without bytes at the end of the stream.
fn read_start(ctx: Ctx<'_>, key: u32, callback: Callback) -> Result<()> {
    let on_read = move |read: mauve::Result<Option<&[u8]>>| {
        current().call_back(&callback, |ctx, args| match read {
            Ok(Some(bytes)) => {
                args.push_arg(0)?;
                args.push_arg(TypedArray::new(ctx.clone(), bytes.to_vec())?)
            }
            Ok(None) => args.push_arg(0),
            Err(error) => args.push_arg(number(error)),
        });
    };
    attempt(&ctx, key, |stream| stream.read_start(on_read))
}

/// Returns whether all bytes were written synchronously. Otherwise the callback is called later.
fn write(ctx: Ctx<'_>, key: u32, bytes: Bytes, callback: Callback) -> Result<bool> {
    let Bytes(bytes) = bytes;
    let written = attempt(&ctx, key, |stream| match stream.try_write(&bytes) {
        Err(Errno::EAGAIN) => Ok(0),
        other => other,
    })?;
    if written == bytes.len() {
        return Ok(true);
    }
    let on_written = move |result| complete(&callback, result);
    attempt(&ctx, key, |stream| stream.write(&bytes[written..], on_written))?;
    Ok(false)
}

fn shutdown(ctx: Ctx<'_>, key: u32, callback: Callback) -> Result<()> {
    attempt(&ctx, key, |stream| stream.shutdown(move |result| complete(&callback, result)))
}

fn close(key: u32, callback: Callback) {
    let stream = STREAMS.with_borrow_mut(|streams| streams.remove(&key));
    let Some(stream) = stream else { return };
    // Closing fails only for a closed stream, which is not in the table.
    let _ = stream.close(move || complete(&callback, Ok(())));
}

fn set_ref(key: u32, on: bool) {
    with(key, |stream| stream.set_ref(on));
}

fn set_raw_mode(ctx: Ctx<'_>, key: u32, on: bool) -> Result<()> {
    let mode = if on { TtyMode::Raw } else { TtyMode::Normal };
    attempt(&ctx, key, |stream| stream.set_tty_mode(mode))
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
