//! `uv_listen`, `uv_read_*`, `uv_write*`, `uv_shutdown`: functions for all streams.

use std::ffi::{c_int, c_uint};
use std::io::IoSlice;

use mauve_core::handle::stream::{
    ForeignDescriptor, Passed, ReadOutcome, Refused, StreamMut, WriteBytes, is_stream,
};
use mauve_core::{Engine, HandleId, HandleKind, Token};
use mauve_sys::descriptor::{AsDescriptor as _, BorrowedDescriptor, CLOSED, into_raw};
use mauve_sys::driver::Platform;
use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::payload::{MAX_BYTES, Payload};
use mauve_sys::{Errno, Result, fd};

use crate::abi::callbacks::*;
use crate::abi::*;
use crate::buffers::{Buffers, slices};
use crate::check;
use crate::ffi::{Ptr, code, flag, negative};
use crate::handle::{descriptor, uv_handle_get_type};
use crate::{system, udp};

/// The buffer size suggested to the alloc callback.
const SUGGESTED_SIZE: usize = 64 * 1024;

/// Calls `action` with the stream.
pub(crate) fn with<R>(
    stream: Ptr<uv_stream_t>,
    call: &str,
    action: impl FnOnce(StreamMut<'_, Platform>) -> R,
) -> R {
    with_cancellation_disabled(|| with_bytes(stream, call, action))
}

/// [`with`], for an action that only sends or receives bytes. It does so with bare system calls, which are
/// no cancellation points.
#[inline(always)]
fn with_bytes<R>(
    stream: Ptr<uv_stream_t>,
    call: &str,
    action: impl FnOnce(StreamMut<'_, Platform>) -> R,
) -> R {
    let result = stream.with_engine(call, |id, engine| engine.stream(id).map(action));
    if stream.published() == CLOSED {
        publish_descriptor(stream);
    }
    result
}

/// Copies the descriptor to the field that programs read, if the stream has one.
#[cold]
fn publish_descriptor(stream: Ptr<uv_stream_t>) {
    if stream.with(|stream| stream.flags & flag::CLOSING == 0)
        && let Ok(fd) = descriptor(stream.base())
    {
        stream.set_published(fd);
    }
}

/// [`with`], for a stream that may be closed: then returns the error `closed`. Programs use a
/// stream in its close callback, which libuv tolerates. `EINVAL` for a struct of zeros.
pub(crate) fn with_or<R>(
    stream: Ptr<uv_stream_t>,
    call: &str,
    closed: Errno,
    action: impl FnOnce(StreamMut<'_, Platform>) -> Result<R>,
) -> Result<R> {
    with_or_else(stream, call, (closed, Errno::EINVAL), action)
}

/// [`with_or`], with the error for a struct of zeros, too.
#[inline(always)]
fn with_or_else<R>(
    stream: Ptr<uv_stream_t>,
    call: &str,
    errors: (Errno, Errno),
    action: impl FnOnce(StreamMut<'_, Platform>) -> Result<R>,
) -> Result<R> {
    match error_if_closed(stream, errors) {
        Some(error) => Err(error),
        None => with(stream, call, action),
    }
}

/// The errors of a write to a closed handle, and to a struct of zeros: not writable.
const NOT_WRITABLE: (Errno, Errno) = (Errno::EBADF, Errno::EPIPE);

#[inline(always)]
fn error_if_closed(stream: Ptr<uv_stream_t>, (closed, zeroed): (Errno, Errno)) -> Option<Errno> {
    // Most streams are open, which costs less to find out.
    let is_open = stream.is_null() || stream.is_open();
    if is_open || !stream.is_closed() || check::is_enabled() {
        return None;
    }
    Some(if stream.is_zeroed() { zeroed } else { closed })
}

/// Updates the public fields of the struct from the state of the engine.
pub(crate) fn publish(stream: *mut uv_stream_t) {
    // SAFETY: a handle that the program passed, and that is not closed.
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

/// As [`publish`], for a stream that was just opened. Keeps the readable flag if the program has
/// set it before, as libuv does.
pub(crate) fn publish_opened(stream: *mut uv_stream_t) {
    // SAFETY: a handle that the program passed, and that is not closed.
    let opened = unsafe { Ptr::new(stream) };
    let declared = opened.with(|stream| stream.flags & flag::READABLE);
    publish(stream);
    opened.with(|stream| stream.flags |= declared);
}

/// Leaves a descriptor that a stream did not adopt open, for the program.
pub(crate) fn leave_open(refused: Refused) -> Errno {
    let _ = into_raw(refused.fd);
    refused.error
}

/// Initialises the fields that all streams have.
pub(crate) fn initialise(stream: Ptr<uv_stream_t>) {
    stream.with(|stream| {
        stream.write_queue_size = 0;
        stream.alloc_cb = None;
        stream.read_cb = None;
        stream.connection_cb = None;
    });
    stream.set_published(CLOSED);
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_listen(
    stream: Ptr<uv_stream_t>,
    backlog: c_int,
    callback: uv_connection_cb,
) -> c_int {
    if !stream.is_null() && stream.is_closed() && !check::is_enabled() {
        return negative(Errno::EINVAL);
    }
    check::arguments::require_callback(callback, "uv_listen");
    let listen = |id: HandleId, engine: &mut Engine<Platform>| {
        if !is_stream(id.kind()) {
            return Some(Err(Errno::EINVAL));
        }
        let mut stream = engine.stream(id)?;
        Some(match id.kind() {
            HandleKind::Tcp => stream.listen_tcp(backlog),
            HandleKind::Pipe => stream.listen_pipe(backlog),
            _ => Err(Errno::EINVAL),
        })
    };
    let listening = with_cancellation_disabled(|| stream.with_engine("uv_listen", listen));
    if listening.is_ok() {
        stream.with(|stream| stream.connection_cb = callback);
        publish_descriptor(stream);
    }
    code(listening)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_accept(server: Ptr<uv_stream_t>, client: Ptr<uv_stream_t>) -> c_int {
    // The connection stays with the server if the client cannot have one.
    let is_other = client.is_open() && {
        let (id, _) = client.identify("uv_accept");
        !is_stream(id.kind()) && id.kind() != HandleKind::Udp
    };
    let taken = with_or(server, "uv_accept", Errno::EAGAIN, |mut server| {
        if is_other && server.has_accepted() { Err(Errno::EINVAL) } else { server.take() }
    });
    let connection = match taken {
        Ok(connection) => connection,
        Err(error) => return negative(error),
    };
    if client.with(|client| client.r#type) == UV_UDP {
        // SAFETY: the type field shows that the struct is a `uv_udp_t`.
        return udp::accept(unsafe { Ptr::new(client.raw().cast()) }, connection.fd);
    }
    let fd = connection.fd.raw_descriptor();
    let accept = |mut client: StreamMut<'_, Platform>| {
        let adopted = client.open(fd, true, true)?;
        client.adopt_connection(connection, adopted)
    };
    let accepted = with_cancellation_disabled(|| {
        client.with_engine("uv_accept", |id, engine| engine.stream(id).map(accept))
    });
    if accepted.is_ok() {
        client.with(|client| client.flags |= flag::READABLE | flag::WRITABLE);
        client.set_published(fd);
    }
    code(accepted)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_read_start(
    stream: Ptr<uv_stream_t>,
    alloc: uv_alloc_cb,
    read: uv_read_cb,
) -> c_int {
    check::arguments::require_callback(alloc, "uv_read_start");
    check::arguments::require_callback(read, "uv_read_start");
    if stream.is_null() || alloc.is_none() || read.is_none() {
        return negative(Errno::EINVAL);
    }
    if stream.is_zeroed() && !check::is_enabled() {
        return negative(Errno::ENOTCONN);
    }
    // Some programs set this flag themselves.
    let declared = stream.with(|stream| stream.flags & flag::READABLE != 0);
    let started = with_or(stream, "uv_read_start", Errno::EINVAL, |mut stream| {
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

#[unsafe(no_mangle)]
pub extern "C" fn uv_read_stop(stream: Ptr<uv_stream_t>) -> c_int {
    if stream.is_open() || check::is_enabled() {
        with(stream, "uv_read_stop", |mut stream| stream.stop_reading());
    }
    0
}

/// The stream is readable: calls the alloc callback, reads, and calls the read callback.
pub(crate) fn read(stream: Ptr<uv_stream_t>) {
    let mut buffer = uv_buf_t::new(std::ptr::null_mut(), 0);
    let alloc = stream.with(|stream| stream.alloc_cb);
    if let Some(alloc) = alloc {
        // SAFETY: the program registered the function for this stream. No borrow is held, so the
        // callback may call any function.
        unsafe { alloc(stream.base().raw(), SUGGESTED_SIZE, &raw mut buffer) };
    }
    // A closing stream gets no read callback, even if a buffer was provided.
    if stream.with(|stream| stream.flags & flag::CLOSING != 0) {
        return;
    }
    if buffer.base.is_null() || buffer.length() == 0 {
        return call_read_cb(stream, negative(Errno::ENOBUFS) as isize, &buffer);
    }
    // The kernel rejects a length that exceeds the address space.
    let length = buffer.length().min(MAX_BYTES);
    // SAFETY: memory that the program has just provided for this read, exclusively.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.base.cast::<u8>(), length) };
    match with_bytes(stream, "uv_read", |mut stream| stream.read(bytes)) {
        ReadOutcome::Data(count) => call_read_cb(stream, count as isize, &buffer),
        ReadOutcome::WouldBlock => call_read_cb(stream, 0, &buffer),
        ReadOutcome::End => call_read_cb(stream, negative(Errno::EOF) as isize, &buffer),
        ReadOutcome::Failed(error) => {
            publish(stream.raw());
            call_read_cb(stream, negative(error) as isize, &buffer);
        }
    }
}

/// The stream has reached its end.
pub(crate) fn read_end(stream: Ptr<uv_stream_t>) {
    let buffer = uv_buf_t::new(std::ptr::null_mut(), 0);
    call_read_cb(stream, negative(Errno::EOF) as isize, &buffer);
}

/// Reading the stream has failed.
pub(crate) fn read_failed(stream: Ptr<uv_stream_t>, error: Errno) {
    publish(stream.raw());
    let buffer = uv_buf_t::new(std::ptr::null_mut(), 0);
    call_read_cb(stream, negative(error) as isize, &buffer);
}

fn call_read_cb(stream: Ptr<uv_stream_t>, count: isize, buffer: &uv_buf_t) {
    if let Some(read) = stream.with(|stream| stream.read_cb) {
        // SAFETY: the program registered the function for this stream. No borrow is held, so the
        // callback may call any function.
        unsafe { read(stream.raw(), count, buffer) };
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_write(
    request: Ptr<uv_write_t>,
    stream: Ptr<uv_stream_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    callback: uv_write_cb,
) -> c_int {
    // SAFETY: `Ptr` may be null.
    let null = unsafe { Ptr::new(std::ptr::null_mut()) };
    uv_write2(request, stream, buffers, count, null, callback)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_write2(
    request: Ptr<uv_write_t>,
    stream: Ptr<uv_stream_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    send_handle: Ptr<uv_stream_t>,
    callback: uv_write_cb,
) -> c_int {
    code(write(request, stream, buffers, count, send_handle, callback))
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
    check::requests::before_submit(request, CALL);
    let buffers = slices(CALL, buffers, count).ok_or(Errno::EINVAL)?;
    let passed = passed_of(send_handle, stream)?;
    if let Some(error) = error_if_closed(stream, NOT_WRITABLE) {
        return Err(error);
    }
    let unsent = with_bytes(stream, CALL, |mut stream| {
        stream.write(request.token(), CBytes(&buffers), passed)
    })
    .map_err(system::write_error)?;
    check::requests::on_submit(request.address(), UV_WRITE, CALL);
    request.with(|request| {
        request.r#type = UV_WRITE;
        request.handle = stream.raw();
        // The field is null once the handle is sent.
        request.send_handle = if unsent == 0 { std::ptr::null_mut() } else { send_handle.raw() };
        request.cb = callback;
        // The completion subtracts what is not written.
        request.nwritten = buffers.total;
    });
    stream.with(|stream| stream.write_queue_size = unsent);
    Ok(())
}

/// The buffers of a write.
struct CBytes<'a>(&'a Buffers<'a>);

impl WriteBytes for CBytes<'_> {
    #[inline(always)]
    fn with_slices<R>(&self, use_slices: impl FnOnce(&[IoSlice<'_>], usize) -> R) -> R {
        use_slices(self.0, self.0.total)
    }

    fn into_payload(self) -> Payload {
        // SAFETY: by libuv's contract the program does not modify or free the memory before the
        // callback.
        unsafe { Payload::foreign(self.0) }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_write_nwritten(request: Ptr<uv_write_t>) -> usize {
    request.with(|request| request.nwritten)
}

/// Cancels a write: `uv_cancel`.
pub(crate) fn cancel_write(request: Ptr<uv_write_t>) -> Result<()> {
    // SAFETY: the program keeps the stream of a request until the request has ended.
    let stream = unsafe { Ptr::new(request.with(|request| request.handle)) };
    let cancel = |mut stream: StreamMut<'_, Platform>| stream.cancel_write(request.token());
    with_or(stream, "uv_cancel", Errno::EBUSY, cancel)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_try_write(
    stream: Ptr<uv_stream_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
) -> c_int {
    // SAFETY: `Ptr` may be null.
    uv_try_write2(stream, buffers, count, unsafe { Ptr::new(std::ptr::null_mut()) })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_try_write2(
    stream: Ptr<uv_stream_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    send_handle: Ptr<uv_stream_t>,
) -> c_int {
    const CALL: &str = "uv_try_write";
    let Some(slices) = slices(CALL, buffers, count) else {
        return refused_try(stream, CALL, (Errno::EINVAL, Errno::EINVAL));
    };
    let descriptor = match descriptor_of(send_handle, stream) {
        Ok(descriptor) => descriptor,
        Err(error) => return refused_try(stream, CALL, (error, Errno::EPIPE)),
    };
    let attempt = |mut s: StreamMut<'_, Platform>| {
        if s.fd().is_ok_and(|fd| !fd::can_try_write(fd)) {
            return Err(Errno::EAGAIN);
        }
        s.try_write(&slices, descriptor).map_err(system::write_error)
    };
    match with_or_else(stream, CALL, NOT_WRITABLE, attempt) {
        // One call writes less than 2^31 bytes.
        Ok(count) => count as c_int,
        Err(error) => negative(error),
    }
}

/// The result of a try with a wrong argument: the first error, or the second one for a struct of zeros. As
/// in libuv, `EAGAIN` of a stream with queued writes has precedence.
#[cold]
fn refused_try(stream: Ptr<uv_stream_t>, call: &str, errors: (Errno, Errno)) -> c_int {
    let attempts = with_or_else(stream, call, errors, |mut s| Ok(s.attempts_writes()));
    negative(match attempts {
        Ok(false) => Errno::EAGAIN,
        Ok(true) => errors.0,
        Err(closed) => closed,
    })
}

/// The handle or descriptor that a write passes. `handle` may be of this loop or of another one.
fn passed_of(handle: Ptr<uv_stream_t>, stream: Ptr<uv_stream_t>) -> Result<Option<Passed>> {
    if descriptor_of(handle, stream)?.is_none() {
        return Ok(None);
    }
    let (id, loop_) = handle.identify("uv_write");
    if std::ptr::eq(loop_.raw(), stream.with(|stream| stream.r#loop)) {
        return Ok(Some(Passed::Handle(id)));
    }
    let foreign = ForeignDescriptor { token: handle.token(), find: published_descriptor };
    Ok(Some(Passed::Foreign(foreign.into())))
}

/// The current descriptor in the struct of a handle, which may belong to another loop.
fn published_descriptor(handle: &Token) -> Option<BorrowedDescriptor<'_>> {
    let handle = handle.0 as *mut uv_handle_t;
    // SAFETY: by libuv's contract the passed handle stays valid until the write callback. It is a stream or a
    // UDP handle.
    let fd = unsafe { load_descriptor(handle) };
    // SAFETY: the program guarantees that no other thread closes the descriptor while it is sent.
    (fd != CLOSED).then(|| unsafe { BorrowedDescriptor::borrow_raw(fd) })
}

/// The descriptor of the handle that is passed. `EBADF` if it has none, or is neither a TCP socket, a
/// pipe nor a UDP socket.
fn descriptor_of<'a>(
    handle: Ptr<uv_stream_t>,
    stream: Ptr<uv_stream_t>,
) -> Result<Option<BorrowedDescriptor<'a>>> {
    if handle.is_null() {
        return Ok(None);
    }
    let may_pass = matches!(uv_handle_get_type(handle.base()), UV_TCP | UV_NAMED_PIPE | UV_UDP);
    let fd = if may_pass { descriptor(handle.base()) } else { Err(Errno::EBADF) };
    let fd = fd.or_else(|error| {
        // Errors of the stream have precedence, as in libuv.
        with_or_else(stream, "uv_write2", NOT_WRITABLE, |mut stream| stream.check_passing())?;
        Err(error)
    })?;
    // SAFETY: the descriptor of a handle that stays open during this call.
    Ok(Some(unsafe { BorrowedDescriptor::borrow_raw(fd) }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_shutdown(
    request: Ptr<uv_shutdown_t>,
    stream: Ptr<uv_stream_t>,
    callback: uv_shutdown_cb,
) -> c_int {
    const CALL: &str = "uv_shutdown";
    check::requests::before_submit(request, CALL);
    let token = request.token();
    let errors = (Errno::ENOTCONN, Errno::ENOTCONN);
    let shut = with_or_else(stream, CALL, errors, |mut s| s.shut_down(token));
    if shut.is_ok() {
        check::requests::on_submit(request.address(), UV_SHUTDOWN, CALL);
        request.with(|request| {
            request.r#type = UV_SHUTDOWN;
            request.handle = stream.raw();
            request.cb = callback;
        });
        publish(stream.raw());
    }
    code(shut)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_is_readable(stream: Ptr<uv_stream_t>) -> c_int {
    has_flag(stream, flag::READABLE)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_is_writable(stream: Ptr<uv_stream_t>) -> c_int {
    has_flag(stream, flag::WRITABLE)
}

/// A flag of the struct, which `publish` updates and some programs set themselves.
fn has_flag(stream: Ptr<uv_stream_t>, flag: u32) -> c_int {
    c_int::from(stream.is_open() && stream.with(|stream| stream.flags & flag != 0))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_stream_get_write_queue_size(stream: Ptr<uv_stream_t>) -> usize {
    stream.with(|stream| stream.write_queue_size)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_stream_set_blocking(stream: Ptr<uv_stream_t>, blocking: c_int) -> c_int {
    let kind = uv_handle_get_type(stream.base());
    code(with_or(stream, "uv_stream_set_blocking", Errno::EBADF, |mut stream| {
        system::check_can_block(kind)?;
        stream.set_blocking(blocking != 0)
    }))
}
