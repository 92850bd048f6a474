//! Byte streams: the operations that TCP and local sockets share.
//!
//! JavaScript identifies a stream by a number. A write is first attempted synchronously, because
//! most writes fit into the kernel buffer. Then no callback is needed and the bytes are not copied
//! again.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use mauve::{Errno, Pipe, Stream, Tcp};
use mauve_quickjs::{Kind, Local, NativeCall, native_function};
use rquickjs::{ArrayBuffer, Ctx, Function, Object, Persistent, Result};

use super::emitters::{self, Emitter, Label, Source};
use super::{define, number, owned_fds, throw};
use crate::host::{current, text, views};

/// A callback function of the script.
pub(super) type Callback = Persistent<Function<'static>>;

/// A stream and the bytes that it has read and written.
#[derive(Clone)]
struct Entry {
    stream: Stream,
    read: Rc<Cell<u64>>,
    written: Rc<Cell<u64>>,
}

thread_local! {
    static STREAMS: RefCell<HashMap<u64, Entry>> = RefCell::default();
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// Adds a stream and returns its number. Numbers are not reused, so a stale one finds nothing.
pub(super) fn add(stream: Stream) -> u64 {
    let id = LAST.get() + 1;
    LAST.set(id);
    let entry = Entry { stream, read: Rc::default(), written: Rc::default() };
    STREAMS.with_borrow_mut(|streams| streams.insert(id, entry));
    id
}

/// Returns the stream of a number; `EBADF` if it is closed.
pub(super) fn find(id: u64) -> mauve::Result<Stream> {
    STREAMS
        .with_borrow(|streams| streams.get(&id).map(|entry| entry.stream.clone()))
        .ok_or(Errno::EBADF)
}

fn entry(id: u64) -> mauve::Result<Entry> {
    STREAMS.with_borrow(|streams| streams.get(&id).cloned()).ok_or(Errno::EBADF)
}

/// Converts a result to 0 or a negative errno.
pub(super) fn code(result: mauve::Result<()>) -> i32 {
    result.err().map_or(0, number)
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "open", open)?;
    define(object, "readStart", |id: u64, callback: Callback, socket: Option<Emitter>| {
        code(read_start(id, callback).inspect(|()| add_emitter(id, Label::Socket, socket)))
    })?;
    define(object, "readStop", |id: u64| code(find(id).map(|stream| stream.read_stop())))?;
    object.set("writeAll", native_function(object.ctx(), c"writeAll", 3, write_all)?)?;
    define(object, "shutdown", |id: u64, callback: Callback| code(shutdown(id, callback)))?;
    define(object, "close", close)?;
    define(object, "setRef", set_ref)?;
    define(object, "hasRef", |id: u64| find(id).is_ok_and(|stream| stream.has_ref()))?;
    define(object, "writeQueueSize", |id: u64| {
        find(id).map_or(0, |stream| stream.write_queue_size())
    })?;
    define(object, "fd", |id: u64| {
        find(id).and_then(|stream| stream.raw_descriptor()).unwrap_or(-1)
    })?;
    define(object, "setBlocking", |id: u64, on: bool| {
        code(find(id).and_then(|stream| stream.set_blocking(on)))
    })?;
    define(object, "bytesRead", |id: u64| entry(id).map_or(0.0, |entry| entry.read.get() as f64))?;
    define(object, "bytesWritten", |id: u64| {
        entry(id).map_or(0.0, |entry| entry.written.get() as f64)
    })?;
    object.set("EOF", EOF)?;
    Ok(())
}

/// Opens a stream for a descriptor whose ownership the script transfers. Returns its number and 1
/// for TCP or 0 for a pipe. Throws `ENOTSUP` for other types of descriptors.
fn open(ctx: Ctx<'_>, fd: i32) -> Result<Vec<u64>> {
    let opened = || {
        let fd = owned_fds::take(fd)?;
        let lp = &current().lp;
        match stream_type(&fd) {
            Some(StreamType::Tcp) => {
                let tcp = Tcp::new(lp);
                tcp.open(fd).inspect_err(|_| tcp.close())?;
                Ok(vec![add(tcp.into()), 1])
            }
            Some(StreamType::Pipe) => {
                let pipe = Pipe::new(lp);
                pipe.open(fd).inspect_err(|_| pipe.close())?;
                Ok(vec![add(pipe.into()), 0])
            }
            None => {
                // The script keeps the descriptor.
                owned_fds::insert(fd);
                Err(Errno::ENOTSUP)
            }
        }
    };
    opened().or_else(|error| throw(&ctx, error))
}

enum StreamType {
    Tcp,
    Pipe,
}

/// The type of stream that a descriptor can be opened as.
fn stream_type(fd: &std::os::fd::OwnedFd) -> Option<StreamType> {
    use rustix::fs::FileType;
    use rustix::net::AddressFamily;
    let stat = rustix::fs::fstat(fd).ok()?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Fifo => Some(StreamType::Pipe),
        FileType::Socket => match rustix::net::getsockname(fd).ok()?.address_family() {
            AddressFamily::UNIX => Some(StreamType::Pipe),
            AddressFamily::INET | AddressFamily::INET6 => Some(StreamType::Tcp),
            _ => None,
        },
        _ => None,
    }
}

/// The value that a read callback gets at the end of the stream: `UV_EOF`.
pub(super) const EOF: i32 = -4095;

/// Adds the server of a stream that listens.
pub(super) fn add_server(id: u64, server: Option<Emitter>) {
    add_emitter(id, Label::Server, server);
}

fn add_emitter(id: u64, label: fn(i32) -> Label, emitter: Option<Emitter>) {
    if let Ok(fd) = find(id).and_then(|stream| stream.raw_descriptor()) {
        emitters::add(Source::Stream(id), label(fd), emitter);
    }
}

/// Calls back with 0 and the bytes, with [`EOF`], or with an errno.
fn read_start(id: u64, callback: Callback) -> mauve::Result<()> {
    read_into(id, move |data| {
        current().call_back(&callback, |ctx, args| match data {
            Ok(Some(bytes)) => {
                args.push_arg(0)?;
                args.push_arg(ArrayBuffer::new_copy(ctx.clone(), bytes)?)
            }
            Ok(None) => args.push_arg(EOF),
            Err(error) => args.push_arg(number(error)),
        });
    })
}

/// Reads and counts the bytes. A stream that reads already keeps its callback.
pub(super) fn read_into(
    id: u64,
    mut on_read: impl FnMut(mauve::Result<Option<&[u8]>>) + 'static,
) -> mauve::Result<()> {
    let Entry { stream, read, .. } = entry(id)?;
    let count = move |(): &mut (), _: &Stream, data: mauve::Result<Option<&[u8]>>| {
        if let Ok(Some(bytes)) = data {
            read.set(read.get() + bytes.len() as u64);
        }
        on_read(data);
    };
    match stream.read_start(count) {
        Err(Errno::EALREADY) => Ok(()),
        other => other,
    }
}

/// `writeAll(id, [chunk, encoding, chunk, encoding, …], callback)` writes all chunks with one call.
/// Returns 0 if all bytes were written synchronously, 1 if the callback will be called, or an errno.
fn write_all<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (ctx, list) = (call.ctx(), call.arg(1));
    let mut all = Vec::with_capacity(TYPICAL_SIZE);
    for index in (0..).step_by(2) {
        let chunk = list.element(index)?;
        match chunk.kind() {
            Kind::Undefined => break,
            Kind::String => {
                let is_latin1 = |encoding: &[u8]| matches!(encoding, b"latin1" | b"binary");
                let is_latin1 = list.element(index + 1)?.with_text(is_latin1)?;
                text::encode(&chunk, is_latin1, &mut all)?;
            }
            _ => views::append(&chunk.to_value().get()?, &mut all),
        }
    }
    let callback: Function<'js> = call.arg(2).to_value().get()?;
    let id = call.arg(0).to_number()? as u64;
    let sent = match try_send(id, &all, || Persistent::save(ctx, callback)) {
        Ok(is_complete) => i32::from(!is_complete),
        Err(error) => number(error),
    };
    Ok(Local::number(ctx, f64::from(sent)))
}

/// Most writes are shorter.
const TYPICAL_SIZE: usize = 1024;

/// Returns whether all bytes were written synchronously.
fn try_send(id: u64, bytes: &[u8], callback: impl FnOnce() -> Callback) -> mauve::Result<bool> {
    let Entry { stream, written: total, .. } = entry(id)?;
    if bytes.is_empty() {
        return Ok(true);
    }
    let written = match stream.try_write(bytes) {
        Ok(count) => count,
        Err(Errno::EAGAIN | Errno::ENOSYS) => 0,
        Err(error) => return Err(error),
    };
    let is_complete = written == bytes.len();
    if !is_complete {
        let callback = callback();
        stream.write_with(&bytes[written..], move |(), _, result| complete(&callback, result))?;
    }
    total.set(total.get() + bytes.len() as u64);
    Ok(is_complete)
}

/// Calls back with 0 or an errno.
pub(super) fn complete(callback: &Callback, result: mauve::Result<()>) {
    current().call_back(callback, |_, args| args.push_arg(code(result)));
}

fn shutdown(id: u64, callback: Callback) -> mauve::Result<()> {
    find(id)?.shutdown_with(move |(), _, result| complete(&callback, result))
}

/// Closes a stream, with a TCP reset if `reset` is set. Calls back in the close phase.
fn close(id: u64, reset: bool, callback: Option<Callback>) -> i32 {
    let Some(Entry { stream, .. }) = STREAMS.with_borrow_mut(|streams| streams.remove(&id)) else {
        return number(Errno::EBADF);
    };
    emitters::remove(Source::Stream(id));
    let done = move |(): &mut ()| {
        if let Some(callback) = callback {
            current().call_back(&callback, |_, _| Ok(()));
        }
    };
    code(match Tcp::try_from(stream.clone()) {
        Ok(tcp) if reset => tcp.close_reset_with(done),
        _ => stream.close_with(done),
    })
}

fn set_ref(id: u64, on: bool) {
    // A closed stream does not keep the loop running anyway.
    if let Ok(stream) = find(id) {
        if on { stream.ref_() } else { stream.unref() }
    }
}

/// Calls back with 0 and the number of an accepted stream, or with an errno.
pub(super) fn accept(callback: &Callback, connection: mauve::Result<Stream>) {
    current().call_back(callback, |_: &Ctx<'_>, args| match connection {
        Ok(stream) => {
            args.push_arg(0)?;
            args.push_arg(add(stream))
        }
        Err(error) => args.push_arg(number(error)),
    });
}
