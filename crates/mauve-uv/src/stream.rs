//! `uv_listen`, `uv_read_*`, `uv_write*`, `uv_shutdown`: what all streams have.

use std::ffi::{c_int, c_uint};
use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd};
use std::sync::atomic::{AtomicI32, Ordering};

use mauve_core::handle::stream::{ForeignDescriptor, Passed, ReadOutcome, Refused, StreamMut};
use mauve_core::{HandleKind, Token};
use mauve_sys::driver::Platform;
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::*;
use crate::abi::*;
use crate::buffers::slices;
use crate::check;
use crate::cork;
use crate::ffi::{Ptr, code, flag, negative};
use crate::handle::descriptor;
use crate::udp;

/// The size of buffer that is asked for.
const SUGGESTED_SIZE: usize = 64 * 1024;

/// Does one operation on a stream.
pub(crate) fn with<R>(
    stream: Ptr<uv_stream_t>,
    call: &str,
    action: impl FnOnce(StreamMut<'_, Platform>) -> R,
) -> R {
    let result = stream.engage(call, |id, engine| engine.stream(id).map(action));
    if stream.with(|stream| stream.io_watcher.fd < 0) {
        publish_descriptor(stream);
    }
    result
}

/// Copies the descriptor to where programs look for it, if the stream has come by one.
#[cold]
fn publish_descriptor(stream: Ptr<uv_stream_t>) {
    if stream.with(|stream| stream.flags & flag::CLOSING == 0)
        && let Ok(fd) = descriptor(stream.base())
    {
        stream.with(|stream| stream.io_watcher.fd = fd);
    }
}

/// Does one operation on a stream that may be closed, and then answers with `closed`: programs ask
/// a stream in its close callback, where libuv still answers.
pub(crate) fn attempt<R>(
    stream: Ptr<uv_stream_t>,
    call: &str,
    closed: Errno,
    action: impl FnOnce(StreamMut<'_, Platform>) -> Result<R>,
) -> Result<R> {
    if !stream.is_null() && stream.is_closed() && !check::on() {
        return Err(closed);
    }
    with(stream, call, action)
}

/// Makes the fields of the struct that programs look at say what the engine knows.
pub(crate) fn publish(stream: *mut uv_stream_t) {
    // SAFETY: a handle that the program passed and that is not closed.
    let stream = unsafe { Ptr::new(stream) };
    let (unsent, flags) = with(stream, "uv_stream", |mut stream| {
        let bit = |set, bit| if set { bit } else { 0 };
        let flags = bit(stream.is_readable(), flag::READABLE)
            | bit(stream.is_writable(), flag::WRITABLE)
            | bit(stream.blocks(), flag::BLOCKING);
        (stream.unsent(), flags)
    });
    stream.with(|stream| {
        stream.write_queue_size = unsent;
        stream.flags &= !(flag::READABLE | flag::WRITABLE | flag::BLOCKING);
        stream.flags |= flags;
    });
}

/// As [`publish`], for a stream that was just opened. A program may have declared it readable before,
/// and libuv keeps that.
pub(crate) fn publish_opened(stream: *mut uv_stream_t) {
    // SAFETY: a handle that the program passed and that is not closed.
    let opened = unsafe { Ptr::new(stream) };
    let declared = opened.with(|stream| stream.flags & flag::READABLE);
    publish(stream);
    opened.with(|stream| stream.flags |= declared);
}

/// Leaves a descriptor that a stream could not take over to the program, open.
pub(crate) fn give_back(refused: Refused) -> Errno {
    let _ = refused.fd.into_raw_fd();
    refused.error
}

/// Prepares the fields that all streams have.
pub(crate) fn initialise(stream: Ptr<uv_stream_t>) {
    stream.with(|stream| {
        stream.write_queue_size = 0;
        stream.alloc_cb = None;
        stream.read_cb = None;
        stream.connection_cb = None;
        stream.io_watcher.fd = -1;
    });
}

#[export]
pub extern "C" fn uv_listen(
    stream: Ptr<uv_stream_t>,
    backlog: c_int,
    callback: uv_connection_cb,
) -> c_int {
    if !stream.is_null() && stream.is_closed() && !check::on() {
        return negative(Errno::EINVAL);
    }
    check::arguments::callback(callback, "uv_listen");
    let listening = stream.engage("uv_listen", |id, engine| {
        let mut stream = engine.stream(id)?;
        Some(match id.kind() {
            HandleKind::Tcp => stream.listen_tcp(backlog),
            HandleKind::Pipe => stream.listen_pipe(backlog),
            _ => Err(Errno::EINVAL),
        })
    });
    if listening.is_ok() {
        stream.with(|stream| stream.connection_cb = callback);
        publish_descriptor(stream);
    }
    code(listening)
}

#[export]
pub extern "C" fn uv_accept(server: Ptr<uv_stream_t>, client: Ptr<uv_stream_t>) -> c_int {
    let taken = with(server, "uv_accept", |mut server| server.take());
    let connection = match taken {
        Ok(connection) => connection,
        Err(error) => return negative(error),
    };
    if client.with(|client| client.r#type) == UV_UDP {
        // SAFETY: the type says that it is one.
        return udp::accept(unsafe { Ptr::new(client.raw().cast()) }, connection.fd);
    }
    let is_tcp = server.with(|server| server.r#type) == UV_TCP;
    let fd = connection.fd.as_raw_fd();
    let accept = |mut client: StreamMut<'_, Platform>| {
        let adopted = client.open(fd, true, true)?;
        client.adopt_connection(connection, adopted)?;
        if is_tcp {
            client.set_edge_triggered();
            cork::allow(&mut client);
        }
        Ok(())
    };
    let accepted = client.engage("uv_accept", |id, engine| engine.stream(id).map(accept));
    if accepted.is_ok() {
        client.with(|client| {
            client.flags |= flag::READABLE | flag::WRITABLE;
            client.io_watcher.fd = fd;
        });
    }
    code(accepted)
}

#[export]
pub extern "C" fn uv_read_start(
    stream: Ptr<uv_stream_t>,
    alloc: uv_alloc_cb,
    read: uv_read_cb,
) -> c_int {
    check::arguments::callback(alloc, "uv_read_start");
    check::arguments::callback(read, "uv_read_start");
    if stream.is_null() || alloc.is_none() || read.is_none() {
        return negative(Errno::EINVAL);
    }
    // Some programs set the flag themselves.
    let declared = stream.with(|stream| stream.flags & flag::READABLE != 0);
    let started = attempt(stream, "uv_read_start", Errno::EINVAL, |mut stream| {
        match stream.start_reading() {
            Err(Errno::ENOTCONN) if declared => {
                stream.declare_readable();
                stream.start_reading()
            }
            started => started,
        }
    });
    if started.is_ok() {
        stream.with(|stream| {
            stream.alloc_cb = alloc;
            stream.read_cb = read;
        });
    }
    code(started)
}

#[export]
pub extern "C" fn uv_read_stop(stream: Ptr<uv_stream_t>) -> c_int {
    if stream.is_open() || check::on() {
        with(stream, "uv_read_stop", |mut stream| stream.stop_reading());
    }
    0
}

/// The stream can be read: gets a buffer from the program, reads, and tells.
pub(crate) fn read(stream: Ptr<uv_stream_t>) {
    let mut buffer = uv_buf_t { base: std::ptr::null_mut(), len: 0 };
    let alloc = stream.with(|stream| stream.alloc_cb);
    if let Some(alloc) = alloc {
        // SAFETY: the program's own function, for the stream it was registered for. No borrow is
        // held: it may do anything.
        unsafe { alloc(stream.base().raw(), SUGGESTED_SIZE, &raw mut buffer) };
    }
    // Whatever was provided: nothing is told of a stream that is closing.
    if stream.with(|stream| stream.flags & flag::CLOSING != 0) {
        return;
    }
    if buffer.base.is_null() || buffer.len == 0 {
        return tell(stream, negative(Errno::ENOBUFS) as isize, &buffer);
    }
    // SAFETY: memory that the program has just provided for this read, for us alone.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.base.cast::<u8>(), buffer.len) };
    match with(stream, "uv_read", |mut stream| stream.read(bytes)) {
        ReadOutcome::Data(count) => tell(stream, count as isize, &buffer),
        ReadOutcome::WouldBlock => tell(stream, 0, &buffer),
        ReadOutcome::End => tell(stream, negative(Errno::EOF) as isize, &buffer),
        ReadOutcome::Failed(error) => {
            publish(stream.raw());
            tell(stream, negative(error) as isize, &buffer);
        }
    }
}

/// The stream is over.
pub(crate) fn read_end(stream: Ptr<uv_stream_t>) {
    let buffer = uv_buf_t { base: std::ptr::null_mut(), len: 0 };
    tell(stream, negative(Errno::EOF) as isize, &buffer);
}

/// The stream cannot be read.
pub(crate) fn read_failed(stream: Ptr<uv_stream_t>, error: Errno) {
    publish(stream.raw());
    let buffer = uv_buf_t { base: std::ptr::null_mut(), len: 0 };
    tell(stream, negative(error) as isize, &buffer);
}

fn tell(stream: Ptr<uv_stream_t>, count: isize, buffer: &uv_buf_t) {
    // The alloc callback has run.
    cork::flush();
    if let Some(read) = stream.with(|stream| stream.read_cb) {
        // SAFETY: the program's own function, for the stream it was registered for. No borrow is
        // held: it may do anything.
        unsafe { read(stream.raw(), count, buffer) };
    }
}

#[export(corks)]
pub extern "C" fn uv_write(
    request: Ptr<uv_write_t>,
    stream: Ptr<uv_stream_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    callback: uv_write_cb,
) -> c_int {
    // SAFETY: a null pointer is a pointer.
    let nothing = unsafe { Ptr::new(std::ptr::null_mut()) };
    uv_write2(request, stream, buffers, count, nothing, callback)
}

#[export(corks)]
pub extern "C" fn uv_write2(
    request: Ptr<uv_write_t>,
    stream: Ptr<uv_stream_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    send_handle: Ptr<uv_stream_t>,
    callback: uv_write_cb,
) -> c_int {
    cork::before_write(stream, send_handle);
    let written = write(request, stream, buffers, count, send_handle, callback);
    cork::after_write(stream);
    code(written)
}

#[inline(always)]
fn write(
    request: Ptr<uv_write_t>,
    stream: Ptr<uv_stream_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    send_handle: Ptr<uv_stream_t>,
    callback: uv_write_cb,
) -> Result<()> {
    const CALL: &str = "uv_write";
    check::requests::begins(request, CALL);
    let slices = slices(CALL, buffers, count).ok_or(Errno::EINVAL)?;
    let passed = passed_of(send_handle, stream)?;
    // SAFETY: by libuv's contract the program leaves the memory alone until the callback.
    let keep = || unsafe { Payload::foreign(&slices) };
    let unsent = attempt(stream, CALL, Errno::EBADF, |mut stream| match passed {
        None => stream.write_or_keep(request.token(), &slices, keep),
        passed => {
            stream.write(request.token(), keep(), passed)?;
            Ok(stream.unsent())
        }
    })?;
    check::requests::began(request.address(), UV_WRITE, CALL);
    request.with(|request| {
        request.r#type = UV_WRITE;
        request.handle = stream.raw();
        // What is sent is no longer to be sent.
        request.send_handle = if unsent == 0 { std::ptr::null_mut() } else { send_handle.raw() };
        request.cb = callback;
    });
    stream.with(|stream| stream.write_queue_size = unsent);
    Ok(())
}

#[export]
pub extern "C" fn uv_try_write(
    stream: Ptr<uv_stream_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
) -> c_int {
    // SAFETY: a null pointer is a pointer.
    uv_try_write2(stream, buffers, count, unsafe { Ptr::new(std::ptr::null_mut()) })
}

#[export]
pub extern "C" fn uv_try_write2(
    stream: Ptr<uv_stream_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    send_handle: Ptr<uv_stream_t>,
) -> c_int {
    const CALL: &str = "uv_try_write";
    let Some(slices) = slices(CALL, buffers, count) else { return negative(Errno::EINVAL) };
    let written = descriptor_of(send_handle, stream).and_then(|descriptor| {
        attempt(stream, CALL, Errno::EBADF, |mut s| s.try_write(&slices, descriptor))
    });
    match written {
        // One call takes less than 2^31 bytes.
        Ok(count) => count as c_int,
        Err(error) => negative(error),
    }
}

/// What a write has to pass, for a handle of the same loop or another one.
fn passed_of(handle: Ptr<uv_stream_t>, stream: Ptr<uv_stream_t>) -> Result<Option<Passed>> {
    if descriptor_of(handle, stream)?.is_none() {
        return Ok(None);
    }
    let (id, of) = handle.identify("uv_write");
    let is_socket =
        matches!(id.kind(), HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty | HandleKind::Udp);
    if is_socket && std::ptr::eq(of.raw(), stream.with(|stream| stream.r#loop)) {
        return Ok(Some(Passed::Handle(id)));
    }
    let foreign = ForeignDescriptor { token: handle.token(), find: published_descriptor };
    Ok(Some(Passed::Foreign(foreign.into())))
}

/// The descriptor that the struct of a handle has now, which may belong to another loop.
fn published_descriptor(handle: &Token) -> Option<BorrowedFd<'_>> {
    let handle = handle.0 as *mut uv_handle_t;
    // SAFETY: as with libuv, the handle that is sent stays in memory until the callback of the write.
    // Its type says which struct it is. Another thread may close it at the same time.
    let fd = unsafe {
        let fd = match (*handle).r#type {
            UV_UDP => &raw mut (*handle.cast::<uv_udp_t>()).io_watcher.fd,
            UV_POLL => &raw mut (*handle.cast::<uv_poll_t>()).io_watcher.fd,
            _ => &raw mut (*handle.cast::<uv_stream_t>()).io_watcher.fd,
        };
        AtomicI32::from_ptr(fd).load(Ordering::Relaxed)
    };
    // SAFETY: open, by the program's word: it does not close it on another thread while it is sent.
    (fd >= 0).then(|| unsafe { BorrowedFd::borrow_raw(fd) })
}

/// The descriptor of a handle that is to be sent.
fn descriptor_of<'a>(
    handle: Ptr<uv_stream_t>,
    stream: Ptr<uv_stream_t>,
) -> Result<Option<BorrowedFd<'a>>> {
    if handle.is_null() {
        return Ok(None);
    }
    let fd = descriptor(handle.base()).or_else(|error| {
        // The errors of the stream come first, as in libuv.
        attempt(stream, "uv_write2", Errno::EBADF, |mut stream| stream.check_passing())?;
        Err(error)
    })?;
    // SAFETY: the descriptor of a handle that stays open for the length of this call.
    Ok(Some(unsafe { BorrowedFd::borrow_raw(fd) }))
}

#[export]
pub extern "C" fn uv_shutdown(
    request: Ptr<uv_shutdown_t>,
    stream: Ptr<uv_stream_t>,
    callback: uv_shutdown_cb,
) -> c_int {
    const CALL: &str = "uv_shutdown";
    check::requests::begins(request, CALL);
    let token = request.token();
    let shut = attempt(stream, CALL, Errno::ENOTCONN, |mut s| s.shut_down(token));
    if shut.is_ok() {
        check::requests::began(request.address(), UV_SHUTDOWN, CALL);
        request.with(|request| {
            request.r#type = UV_SHUTDOWN;
            request.handle = stream.raw();
            request.cb = callback;
        });
        publish(stream.raw());
    }
    code(shut)
}

#[export]
pub extern "C" fn uv_is_readable(stream: Ptr<uv_stream_t>) -> c_int {
    has_flag(stream, flag::READABLE)
}

#[export]
pub extern "C" fn uv_is_writable(stream: Ptr<uv_stream_t>) -> c_int {
    has_flag(stream, flag::WRITABLE)
}

/// What the struct says, which `publish` keeps true, and which programs set themselves.
fn has_flag(stream: Ptr<uv_stream_t>, flag: u32) -> c_int {
    c_int::from(stream.is_open() && stream.with(|stream| stream.flags & flag != 0))
}

#[export]
pub extern "C" fn uv_stream_get_write_queue_size(stream: Ptr<uv_stream_t>) -> usize {
    stream.with(|stream| stream.write_queue_size)
}

#[export]
pub extern "C" fn uv_stream_set_blocking(stream: Ptr<uv_stream_t>, blocking: c_int) -> c_int {
    code(attempt(stream, "uv_stream_set_blocking", Errno::EBADF, |mut stream| {
        stream.set_blocking(blocking != 0)
    }))
}
