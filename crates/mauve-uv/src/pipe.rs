//! `uv_pipe_*` and `uv_pipe`.

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::mem::ManuallyDrop;

use mauve_core::handle::stream::StreamMut;
use mauve_sys::descriptor::{AsDescriptor as _, BorrowedDescriptor, CLOSED};
use mauve_sys::driver::Platform;
use mauve_sys::net;
use mauve_sys::{Errno, Result, fd};

use crate::abi::callbacks::uv_connect_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, negative};
use crate::handle::guess_type;
use crate::system::{ABSTRACT_PIPE_NAMES, MAX_PIPE_NAME, set_pending_instances};
use crate::{allocator, file, stream};

fn base(pipe: Ptr<uv_pipe_t>) -> Ptr<uv_stream_t> {
    // SAFETY: `stream!` declares every stream with the fields of `uv_stream_t` first.
    unsafe { Ptr::new(pipe.raw().cast()) }
}

pub(crate) fn with<R>(
    pipe: Ptr<uv_pipe_t>,
    call: &str,
    action: impl FnOnce(StreamMut<'_, Platform>) -> R,
) -> R {
    stream::with(base(pipe), call, action)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_init(loop_: Ptr<uv_loop_t>, pipe: Ptr<uv_pipe_t>, ipc: c_int) -> c_int {
    pipe.open(UV_NAMED_PIPE, loop_, "uv_pipe_init", |engine, token| {
        engine.open_pipe(token, ipc != 0)
    });
    stream::initialise(base(pipe));
    pipe.with(|pipe| {
        pipe.ipc = ipc;
        pipe.pipe_fname = std::ptr::null_mut();
    });
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_open(pipe: Ptr<uv_pipe_t>, file: uv_file) -> c_int {
    let raw = file::descriptor(file);
    if pipe.is_tolerated() && !fd::is_open(raw) {
        return negative(Errno::EBADF);
    }
    let opened = with(pipe, "uv_pipe_open", |mut stream| {
        if file < 0 || raw == CLOSED {
            return Err(Errno::EBADF);
        }
        // SAFETY: not negative; a closed one makes the calls below fail.
        let borrowed = unsafe { BorrowedDescriptor::borrow_raw(raw) };
        let (readable, writable) = fd::access_mode(borrowed)?;
        if stream.owns(raw) {
            return stream.open_again(readable, writable);
        }
        // As in libuv, it is non-blocking even if the stream then does not adopt it.
        stream.check_unwatched(raw)?;
        // SAFETY: open, as the calls above show. The program transfers its ownership on success.
        let owned = ManuallyDrop::new(unsafe { file::take(file) }?);
        fd::set_nonblocking(owned.raw_descriptor(), true)?;
        let adopted = stream.open(owned.raw_descriptor(), readable, writable)?;
        let adopted = stream.adopt(ManuallyDrop::into_inner(owned), adopted);
        adopted.map_err(stream::leave_open)
    });
    // Also after an error: a stream that did not adopt the descriptor is readable all the same.
    stream::publish_opened(pipe.raw().cast());
    code(opened)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_bind(pipe: Ptr<uv_pipe_t>, name: *const c_char) -> c_int {
    if name.is_null() {
        return negative(Errno::EINVAL);
    }
    // SAFETY: the program passes a valid string.
    let length = unsafe { CStr::from_ptr(name) }.count_bytes();
    uv_pipe_bind2(pipe, name, length, 0)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_bind2(
    pipe: Ptr<uv_pipe_t>,
    name: *const c_char,
    length: usize,
    flags: c_uint,
) -> c_int {
    let bound = checked_name(name, length, flags).and_then(|name| {
        stream::with_or(base(pipe), "uv_pipe_bind", Errno::EINVAL, |mut stream| {
            stream.bind_pipe(name)
        })?;
        store_name(pipe, name);
        Ok(())
    });
    code(bound)
}

/// Stores the path in the struct, where some programs read it.
fn store_name(pipe: Ptr<uv_pipe_t>, name: &[u8]) {
    if name.first().is_none_or(|first| *first == 0) {
        return;
    }
    let memory = allocator::allocate(name.len() + 1).cast::<u8>();
    if !memory.is_null() {
        // SAFETY: new memory for the name and a terminator.
        unsafe {
            memory.copy_from_nonoverlapping(name.as_ptr(), name.len());
            memory.add(name.len()).write(0);
        }
        pipe.with(|pipe| pipe.pipe_fname = memory.cast());
    }
}

/// Frees the stored path of a pipe that is closed.
pub(crate) fn free_name(pipe: Ptr<uv_pipe_t>) {
    let name = pipe.with(|pipe| std::mem::take(&mut pipe.pipe_fname));
    if !name.is_null() {
        allocator::release(name.cast());
    }
}

/// The name that C passed, truncated to the maximum unless the flags forbid it.
fn checked_name<'a>(name: *const c_char, length: usize, flags: c_uint) -> Result<&'a [u8]> {
    let whole = flags & UV_PIPE_NO_TRUNCATE as c_uint != 0;
    if flags & !(UV_PIPE_NO_TRUNCATE as c_uint) != 0 || name.is_null() {
        return Err(Errno::EINVAL);
    }
    // SAFETY: the program guarantees `length` bytes.
    let name = unsafe { std::slice::from_raw_parts(name.cast::<u8>(), length) };
    let is_abstract = ABSTRACT_PIPE_NAMES && name.first() == Some(&0);
    if !is_abstract && name.contains(&0) {
        return Err(Errno::EINVAL);
    }
    if whole && name.len() > MAX_PIPE_NAME {
        return Err(Errno::EINVAL);
    }
    Ok(&name[..name.len().min(MAX_PIPE_NAME)])
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_connect(
    request: Ptr<uv_connect_t>,
    pipe: Ptr<uv_pipe_t>,
    name: *const c_char,
    callback: uv_connect_cb,
) {
    // SAFETY: the program passes a valid string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    let name = &name[..name.len().min(MAX_PIPE_NAME)];
    // Errors are reported to the callback, because the function returns nothing.
    connect(request, pipe, name, callback);
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_connect2(
    request: Ptr<uv_connect_t>,
    pipe: Ptr<uv_pipe_t>,
    name: *const c_char,
    length: usize,
    flags: c_uint,
    callback: uv_connect_cb,
) -> c_int {
    match checked_name(name, length, flags) {
        Ok([]) => negative(Errno::EINVAL),
        Ok(name) => connect(request, pipe, name, callback),
        Err(error) => negative(error),
    }
}

fn connect(
    request: Ptr<uv_connect_t>,
    pipe: Ptr<uv_pipe_t>,
    name: &[u8],
    callback: uv_connect_cb,
) -> c_int {
    const CALL: &str = "uv_pipe_connect";
    check::requests::before_submit(request, CALL);
    let token = request.token();
    let connecting = with(pipe, CALL, |mut stream| stream.connect_pipe(token, name));
    if connecting.is_ok() {
        check::requests::on_submit(request.address(), UV_CONNECT, CALL);
        request.with(|request| {
            request.r#type = UV_CONNECT;
            request.handle = pipe.raw().cast();
            request.cb = callback;
        });
        stream::publish(pipe.raw().cast());
    }
    code(connecting)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_getsockname(
    pipe: Ptr<uv_pipe_t>,
    buffer: *mut c_char,
    size: Ptr<usize>,
) -> c_int {
    name_of(pipe, buffer, size, "uv_pipe_getsockname", net::pipe_name)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_getpeername(
    pipe: Ptr<uv_pipe_t>,
    buffer: *mut c_char,
    size: Ptr<usize>,
) -> c_int {
    name_of(pipe, buffer, size, "uv_pipe_getpeername", net::pipe_peer_name)
}

fn name_of(
    pipe: Ptr<uv_pipe_t>,
    buffer: *mut c_char,
    size: Ptr<usize>,
    call: &str,
    query: fn(BorrowedDescriptor<'_>) -> Result<Vec<u8>>,
) -> c_int {
    if buffer.is_null() || size.is_null() || size.with(|size| *size) == 0 {
        return negative(Errno::EINVAL);
    }
    let found = stream::with_or(base(pipe), call, Errno::EBADF, |mut stream| query(stream.fd()?));
    let name = match found {
        Ok(name) => name,
        Err(error) => {
            size.write(0);
            return negative(error);
        }
    };
    // An abstract name starts with a zero byte, and has no terminator.
    let is_abstract = name.first() == Some(&0);
    let needed = name.len() + usize::from(!is_abstract);
    size.with(|size| {
        if needed > *size {
            *size = needed;
            return negative(Errno::ENOBUFS);
        }
        // SAFETY: the program guarantees `*size` bytes, and no more are written.
        unsafe {
            buffer.cast::<u8>().copy_from_nonoverlapping(name.as_ptr(), name.len());
            if !is_abstract {
                buffer.add(name.len()).write(0);
            }
        }
        *size = name.len();
        0
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_chmod(pipe: Ptr<uv_pipe_t>, mode: c_int) -> c_int {
    if pipe.is_null() {
        return negative(Errno::EBADF);
    }
    code(stream::with_or(base(pipe), "uv_pipe_chmod", Errno::EBADF, |mut stream| {
        let socket = stream.fd()?;
        if mode & !(UV_READABLE | UV_WRITABLE) != 0 || mode == 0 {
            return Err(Errno::EINVAL);
        }
        fd::chmod_socket(socket, mode & UV_READABLE != 0, mode & UV_WRITABLE != 0)
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_pending_instances(pipe: Ptr<uv_pipe_t>, count: c_int) {
    set_pending_instances(pipe, count);
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_pending_count(pipe: Ptr<uv_pipe_t>) -> c_int {
    let none = pipe.is_closed();
    if none { 0 } else { with(pipe, "uv_pipe_pending_count", |mut s| s.pending_count() as c_int) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe_pending_type(pipe: Ptr<uv_pipe_t>) -> uv_handle_type {
    if pipe.is_closed() {
        return UV_UNKNOWN_HANDLE;
    }
    with(pipe, "uv_pipe_pending_type", |mut stream| {
        stream.first_pending().map_or(UV_UNKNOWN_HANDLE, |fd| guess_type(fd.raw_descriptor()))
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_pipe(files: *mut uv_file, read_flags: c_int, write_flags: c_int) -> c_int {
    let nonblocking = [read_flags, write_flags].map(|flags| flags & UV_NONBLOCK_PIPE != 0);
    let made = net::pipe(nonblocking).and_then(|[reader, writer]| {
        let reader = file::give(reader, 0)?;
        let writer = file::give(writer, 0).inspect_err(|_| {
            // SAFETY: made above, and the program does not have it. An error would say nothing new.
            let _ = unsafe { file::close(reader) };
        })?;
        Ok([reader, writer])
    });
    match made {
        Ok(pair) => {
            // SAFETY: the program guarantees an array of two, and owns the files then.
            unsafe { files.cast::<[uv_file; 2]>().write(pair) };
            0
        }
        Err(error) => negative(error),
    }
}
