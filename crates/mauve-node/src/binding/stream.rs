//! Streams of bytes: what TCP and local sockets have in common.
//!
//! JavaScript knows a stream by its number. Writing is tried at once, for most writes fit into the
//! system's buffer: then nobody has to wait for a callback, and the bytes are not copied.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use mauve::{Errno, Pipe, Tcp};
use rquickjs::{Array, ArrayBuffer, Ctx, Function, Object, Persistent, Result, TypedArray, Value};

use super::{functions, number, owned, throw};
use crate::host::{current, text, views};

/// A function of the script.
pub(super) type Callback = Persistent<Function<'static>>;

/// A stream of either kind.
#[derive(Clone)]
pub(super) enum Stream {
    Tcp(Tcp),
    Pipe(Pipe),
}

/// Does the same with either kind of stream.
macro_rules! each {
    ($stream:expr, $name:ident => $work:expr) => {
        match $stream {
            Stream::Tcp($name) => $work,
            Stream::Pipe($name) => $work,
        }
    };
}

thread_local! {
    static STREAMS: RefCell<HashMap<u32, Stream>> = RefCell::default();
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// Gives a stream its number. Numbers are not used again, so a stale one means nothing.
pub(super) fn add(stream: Stream) -> u32 {
    let id = LAST.get() + 1;
    LAST.set(id);
    STREAMS.with_borrow_mut(|streams| streams.insert(id, stream));
    id
}

/// The stream of a number, unless it is closed.
pub(super) fn find(id: u32) -> mauve::Result<Stream> {
    STREAMS.with_borrow(|streams| streams.get(&id).cloned()).ok_or(Errno::EBADF)
}

/// Zero, or the number of an error.
pub(super) fn code(result: mauve::Result<()>) -> i32 {
    result.err().map_or(0, number)
}

/// What is added to the count of bytes that are not all written yet.
const PENDING: f64 = (1_u64 << 40) as f64;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "open" => open,
        "readStart" => |id: u32, callback: Callback| code(read_start(id, callback)),
        "readStop" => |id: u32| code(find(id).map(|stream| each!(stream, s => s.read_stop()))),
        "write" => write,
        "writeText" => write_text,
        "writeAll" => write_all,
        "shutdown" => |id: u32, callback: Callback| code(shutdown(id, callback)),
        "close" => close,
        "reference" => reference,
        "isReferenced" => |id: u32| find(id).is_ok_and(|stream| each!(stream, s => s.has_ref())),
        "queueSize" => |id: u32| {
            find(id).map_or(0, |stream| each!(stream, s => s.write_queue_size()))
        },
        "fd" => |id: u32| {
            find(id).and_then(|stream| each!(stream, s => s.fileno())).unwrap_or(-1)
        },
        "setBlocking" => |id: u32, on: bool| {
            code(find(id).and_then(|stream| each!(stream, s => s.set_blocking(on))))
        },
    });
    object.set("PENDING", PENDING)?;
    object.set("EOF", END)?;
    Ok(())
}

/// Makes a stream out of a descriptor that the script gives away. Returns its number, and whether
/// it is TCP's; throws the number of an error, `ENOTSUP` if it can be no such stream.
fn open(ctx: Ctx<'_>, fd: i32) -> Result<Vec<u32>> {
    let opened = || {
        let fd = owned::take(fd)?;
        let lp = &current().lp;
        match kind(&fd) {
            Some(Kind::Internet) => {
                let tcp = Tcp::new(lp);
                tcp.open(fd).inspect_err(|_| tcp.close())?;
                Ok(vec![add(Stream::Tcp(tcp)), 1])
            }
            Some(Kind::Local) => {
                let pipe = Pipe::new(lp);
                pipe.open(fd).inspect_err(|_| pipe.close())?;
                Ok(vec![add(Stream::Pipe(pipe)), 0])
            }
            None => {
                // It stays the script's.
                owned::keep(fd);
                Err(Errno::ENOTSUP)
            }
        }
    };
    opened().or_else(|error| throw(&ctx, error))
}

enum Kind {
    Internet,
    Local,
}

/// What kind of stream a descriptor is good for.
fn kind(fd: &std::os::fd::OwnedFd) -> Option<Kind> {
    use rustix::fs::FileType;
    use rustix::net::AddressFamily;
    let stat = rustix::fs::fstat(fd).ok()?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Fifo => Some(Kind::Local),
        FileType::Socket => match rustix::net::getsockname(fd).ok()?.address_family() {
            AddressFamily::UNIX => Some(Kind::Local),
            AddressFamily::INET | AddressFamily::INET6 => Some(Kind::Internet),
            _ => None,
        },
        _ => None,
    }
}

/// What a callback for reading gets at the end, libuv's number.
const END: i32 = -4095;

/// Calls back with zero and the bytes, with [`END`], or with an error.
fn read_start(id: u32, callback: Callback) -> mauve::Result<()> {
    fn deliver(callback: &Callback, data: mauve::Result<Option<&[u8]>>) {
        current().call_back(callback, |ctx, args| match data {
            Ok(Some(bytes)) => {
                args.push_arg(0)?;
                args.push_arg(ArrayBuffer::new_copy(ctx.clone(), bytes)?)
            }
            Ok(None) => args.push_arg(END),
            Err(error) => args.push_arg(number(error)),
        });
    }
    let started = each!(find(id)?, s => s.read_start(move |(), _, data| deliver(&callback, data)));
    match started {
        Err(Errno::EALREADY) => Ok(()),
        other => other,
    }
}

fn write(id: u32, view: TypedArray<'_, u8>, callback: Callback) -> f64 {
    let mut bytes = Vec::new();
    views::append(&view, &mut bytes);
    send(id, &bytes, callback)
}

/// Text as Latin-1 or UTF-8.
fn write_text(id: u32, text: Value<'_>, latin1: bool, callback: Callback) -> Result<f64> {
    let mut encoded = Vec::new();
    text::encode(&text, latin1, &mut encoded)?;
    Ok(send(id, &encoded, callback))
}

/// Chunks and their encodings, by turns, in one write.
fn write_all(id: u32, chunks: Array<'_>, callback: Callback) -> Result<f64> {
    let mut all = Vec::new();
    for place in (0..chunks.len()).step_by(2) {
        let chunk: Value<'_> = chunks.get(place)?;
        if chunk.is_string() {
            let encoding: String = chunks.get(place + 1)?;
            text::encode(&chunk, matches!(encoding.as_str(), "latin1" | "binary"), &mut all)?;
        } else {
            let view: TypedArray<'_, u8> = chunks.get(place)?;
            views::append(&view, &mut all);
        }
    }
    Ok(send(id, &all, callback))
}

/// Returns the number of bytes, plus [`PENDING`] if the callback is to be waited for; or an error.
fn send(id: u32, bytes: &[u8], callback: Callback) -> f64 {
    match try_send(id, bytes, callback) {
        Ok(true) => bytes.len() as f64,
        Ok(false) => bytes.len() as f64 + PENDING,
        Err(error) => number(error).into(),
    }
}

/// Whether everything was written at once.
fn try_send(id: u32, bytes: &[u8], callback: Callback) -> mauve::Result<bool> {
    let stream = find(id)?;
    let written = match each!(&stream, s => s.try_write(bytes)) {
        Ok(count) => count,
        Err(Errno::EAGAIN | Errno::ENOSYS) => 0,
        Err(error) => return Err(error),
    };
    if written == bytes.len() {
        return Ok(true);
    }
    let rest = &bytes[written..];
    each!(stream, s => s.write(rest, move |(), result| answer(&callback, result)))?;
    Ok(false)
}

/// Calls back with zero or an error.
pub(super) fn answer(callback: &Callback, result: mauve::Result<()>) {
    current().call_back(callback, |_, args| args.push_arg(code(result)));
}

fn shutdown(id: u32, callback: Callback) -> mauve::Result<()> {
    each!(find(id)?, s => s.shutdown(move |(), result| answer(&callback, result)))
}

/// Closes it, with a reset if wanted and possible, and calls back in the close phase.
fn close(id: u32, reset: bool, callback: Option<Callback>) -> i32 {
    let Some(stream) = STREAMS.with_borrow_mut(|streams| streams.remove(&id)) else {
        return number(Errno::EBADF);
    };
    let done = move |(): &mut ()| {
        if let Some(callback) = callback {
            current().call_back(&callback, |_, _| Ok(()));
        }
    };
    code(match (stream, reset) {
        (Stream::Tcp(tcp), true) => tcp.close_reset_with(done),
        (stream, _) => each!(stream, s => s.close_with(done)),
    })
}

fn reference(id: u32, on: bool) {
    // A closed stream keeps nothing alive.
    if let Ok(stream) = find(id) {
        each!(stream, s => if on { s.ref_() } else { s.unref() });
    }
}

/// Calls back with zero and the number of a new stream, or with an error.
pub(super) fn announce(callback: &Callback, connection: mauve::Result<Stream>) {
    current().call_back(callback, |_: &Ctx<'_>, args| match connection {
        Ok(stream) => {
            args.push_arg(0)?;
            args.push_arg(add(stream))
        }
        Err(error) => args.push_arg(number(error)),
    });
}
