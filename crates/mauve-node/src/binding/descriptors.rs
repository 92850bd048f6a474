//! Pipes and terminals, as far as scripts read and write them. Each is known by a key.

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::fd::{BorrowedFd, OwnedFd};

use mauve::{Errno, Pipe, Tty, TtyMode};
use rquickjs::{Ctx, Function, Object, Persistent, Result, TypedArray};

use super::{functions, number, owned, throw};
use crate::host::current;
use crate::host::views::Bytes;

type Callback = Persistent<Function<'static>>;

enum Stream {
    Pipe(Pipe),
    Terminal(Tty),
}

/// Does the same with either kind.
macro_rules! either {
    ($stream:expr, $name:ident => $work:expr) => {
        match $stream {
            Stream::Pipe($name) => $work,
            Stream::Terminal($name) => $work,
        }
    };
}

thread_local! {
    static STREAMS: RefCell<HashMap<u32, Stream>> = RefCell::default();
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "kind" => kind,
        "openPipe" => open_pipe,
        "openTerminal" => open_terminal,
        "readStart" => read_start,
        "readStop" => |key: u32| with(key, |stream| either!(stream, it => it.read_stop())),
        "write" => write,
        "shutdown" => shutdown,
        "close" => close,
        "refer" => refer,
        "setRaw" => set_raw,
        "windowSize" => window_size,
    });
    Ok(())
}

/// What a descriptor is, in Node's words.
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

/// A duplicate, so that the script's number stays open whatever becomes of the stream.
fn duplicate(fd: i32) -> mauve::Result<OwnedFd> {
    let fd = rustix::io::dup(borrowed(fd)?);
    fd.map_err(|error| Errno::from_raw(error.raw_os_error()))
}

/// One of the three standard descriptors: no other number can be known to stay open.
fn borrowed(fd: i32) -> mauve::Result<BorrowedFd<'static>> {
    match fd {
        0 => Ok(rustix::stdio::stdin()),
        1 => Ok(rustix::stdio::stdout()),
        2 => Ok(rustix::stdio::stderr()),
        _ => Err(Errno::EBADF),
    }
}

/// A pipe over a descriptor: one of the standard ones, or one that the script gives away.
fn open_pipe(ctx: Ctx<'_>, fd: i32) -> Result<u32> {
    let owned = if fd > 2 { owned::take(fd) } else { duplicate(fd) };
    let pipe = Pipe::new(&current().lp);
    match owned.and_then(|fd| pipe.open(fd)) {
        Ok(()) => Ok(keep(Stream::Pipe(pipe))),
        Err(error) => {
            pipe.close();
            throw(&ctx, error)
        }
    }
}

fn open_terminal(ctx: Ctx<'_>, fd: i32) -> Result<u32> {
    match duplicate(fd).and_then(|fd| Tty::new(&current().lp, fd)) {
        Ok(terminal) => Ok(keep(Stream::Terminal(terminal))),
        Err(error) => throw(&ctx, error),
    }
}

fn keep(stream: Stream) -> u32 {
    STREAMS.with_borrow_mut(|streams| {
        let key = streams.keys().max().map_or(1, |last| last + 1);
        streams.insert(key, stream);
        key
    })
}

fn with(key: u32, work: impl FnOnce(&Stream)) {
    STREAMS.with_borrow(|streams| streams.get(&key).map(work));
}

fn attempt<T>(
    ctx: &Ctx<'_>,
    key: u32,
    work: impl FnOnce(&Stream) -> mauve::Result<T>,
) -> Result<T> {
    let done = STREAMS.with_borrow(|streams| streams.get(&key).map(work));
    done.unwrap_or(Err(Errno::EBADF)).or_else(|error| throw(ctx, error))
}

/// The callback gets an error's number and the bytes, or no bytes at the end.
fn read_start(ctx: Ctx<'_>, key: u32, callback: Callback) -> Result<()> {
    let tell = move |read: mauve::Result<Option<&[u8]>>| {
        current().call_back(&callback, |ctx, args| match read {
            Ok(Some(bytes)) => {
                args.push_arg(0)?;
                args.push_arg(TypedArray::new(ctx.clone(), bytes.to_vec())?)
            }
            Ok(None) => args.push_arg(0),
            Err(error) => args.push_arg(number(error)),
        });
    };
    attempt(&ctx, key, |stream| either!(stream, it => it.read_start(move |(), _, read| tell(read))))
}

/// Returns whether everything was written at once; if not, the callback is told later.
fn write(ctx: Ctx<'_>, key: u32, bytes: Bytes, callback: Callback) -> Result<bool> {
    let Bytes(mut bytes) = bytes;
    let written = attempt(&ctx, key, |stream| match either!(stream, it => it.try_write(&bytes)) {
        Err(Errno::EAGAIN) => Ok(0),
        other => other,
    })?;
    if written == bytes.len() {
        return Ok(true);
    }
    let rest = bytes.split_off(written);
    let told = move |(): &mut (), result| tell(&callback, result);
    attempt(&ctx, key, |stream| either!(stream, it => it.write(rest, told)))?;
    Ok(false)
}

fn tell(callback: &Callback, result: mauve::Result<()>) {
    let errno = result.map_or_else(number, |()| 0);
    current().call_back(callback, |_, args| args.push_arg(errno));
}

fn shutdown(ctx: Ctx<'_>, key: u32, callback: Callback) -> Result<()> {
    let told = move |(): &mut (), result| tell(&callback, result);
    attempt(&ctx, key, |stream| either!(stream, it => it.shutdown(told)))
}

fn close(key: u32, callback: Callback) {
    let stream = STREAMS.with_borrow_mut(|streams| streams.remove(&key));
    let Some(stream) = stream else { return };
    let closed = move |(): &mut ()| tell(&callback, Ok(()));
    // Closing fails only if it has been closed, and then it would not be in the table.
    let _ = either!(stream, it => it.close_with(closed));
}

fn refer(key: u32, on: bool) {
    with(key, |stream| {
        either!(stream, it => if on { it.ref_() } else { it.unref() });
    });
}

fn set_raw(ctx: Ctx<'_>, key: u32, on: bool) -> Result<()> {
    let mode = if on { TtyMode::Raw } else { TtyMode::Normal };
    attempt(&ctx, key, |stream| match stream {
        Stream::Terminal(terminal) => terminal.set_mode(mode),
        Stream::Pipe(_) => Err(Errno::ENOTTY),
    })
}

/// Columns and rows of the terminal at one of the standard descriptors.
fn window_size(ctx: Ctx<'_>, fd: i32) -> Result<Vec<u16>> {
    let size = borrowed(fd).and_then(|fd| {
        rustix::termios::tcgetwinsize(fd).map_err(|error| Errno::from_raw(error.raw_os_error()))
    });
    match size {
        Ok(size) => Ok(vec![size.ws_col, size.ws_row]),
        Err(error) => throw(&ctx, error),
    }
}
