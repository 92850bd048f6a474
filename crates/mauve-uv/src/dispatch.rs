//! Runs the callbacks of C programs.

#![allow(clippy::option_map_unit_fn)] // Each arm ends with its call, if there is a callback.

use std::ffi::c_int;
use std::mem::offset_of;

use mauve_core::{Completion, Token, WorkCompletion};
use mauve_sys::Result;

use crate::abi::*;
use crate::ffi::{Ptr, code, negative};
use crate::{fs, fs_event, fs_poll, request, signal, stream, udp};

/// The common layout of timer, idle, prepare and check handles: the callback follows the fields of
/// `uv_handle_t`, and takes the handle.
#[repr(C)]
struct Hook {
    handle: uv_handle_t,
    callback: Option<unsafe extern "C-unwind" fn(*mut Hook)>,
}

const _: () = {
    let offset = offset_of!(Hook, callback);
    assert!(offset_of!(uv_timer_t, timer_cb) == offset);
    assert!(offset_of!(uv_idle_t, idle_cb) == offset);
    assert!(offset_of!(uv_prepare_t, prepare_cb) == offset);
    assert!(offset_of!(uv_check_t, check_cb) == offset);
};

/// Runs the callback of a timer, idle, prepare or check handle. The rules of [`run`] hold.
#[inline]
pub(crate) fn run_hook(token: Token) {
    let hook = pointer::<Hook>(token);
    if let Some(callback) = hook.with(|hook| hook.callback) {
        // SAFETY: the token is the address of a handle that the program keeps until its close
        // callback. The program registered this function for it.
        unsafe { callback(hook.raw()) }
    }
}

/// Runs the callback that belongs to a completion. The caller holds no borrow of the loop: the
/// callback may do anything to it, and free the struct that the token points to.
#[inline(always)] // So that a completion is not copied.
pub(crate) fn run(completion: Completion) {
    // SAFETY, for all calls in this function: tokens are the addresses of structs that the program
    // passed and, by libuv's contract, keeps until their last callback. The functions were passed
    // by the program, and are called with the handle or request they were registered for.
    match completion {
        Completion::Readable(token) => stream::read(pointer(token)),
        Completion::Write { token, result, unwritten, unsent } => {
            written(token, result, unwritten, unsent);
        }
        Completion::Async(token) => {
            let handle = pointer::<uv_async_t>(token);
            let callback = handle.with(|handle| handle.async_cb);
            // SAFETY: see above.
            callback.map(|callback| unsafe { callback(handle.raw()) });
        }
        Completion::Poll { token, result } => {
            let poll = pointer::<uv_poll_t>(token);
            let callback = poll.with(|poll| poll.poll_cb);
            let (status, events) = match result {
                Ok(ready) => (0, c_int::from(ready.bits())),
                Err(error) => (negative(error), 0),
            };
            // SAFETY: see above.
            callback.map(|callback| unsafe { callback(poll.raw(), status, events) });
        }
        Completion::ReadEnd(token) => stream::read_end(pointer(token)),
        Completion::ReadFailed { token, error } => stream::read_failed(pointer(token), error),
        // The C ABI never requests this.
        Completion::Writable(_) => {}
        Completion::Progress { token, unsent } => {
            pointer::<uv_stream_t>(token).with(|stream| stream.write_queue_size = unsent);
        }
        Completion::Connection { token, result } => {
            let stream = pointer::<uv_stream_t>(token);
            let callback = stream.with(|stream| stream.connection_cb);
            // SAFETY: see above.
            callback.map(|callback| unsafe { callback(stream.raw(), code(result)) });
        }
        Completion::Connect { token, result } => {
            let request = pointer::<uv_connect_t>(token);
            let (handle, callback) = request.with(|request| (request.handle, request.cb));
            stream::publish(handle);
            // SAFETY: see above.
            callback.map(|callback| unsafe { callback(request.raw(), code(result)) });
        }
        Completion::Shutdown { token, result } => {
            let request = pointer::<uv_shutdown_t>(token);
            let callback = request.with(|request| request.cb);
            // SAFETY: see above.
            callback.map(|callback| unsafe { callback(request.raw(), code(result)) });
        }
        Completion::Receivable(token) => udp::receive(pointer(token)),
        Completion::Sent { token, result, size } => udp::on_sent(pointer(token), result, size),
        Completion::Signal { token, signal: number } => {
            let signal = pointer::<uv_signal_t>(token);
            let callback = signal.with(|signal| signal.signal_cb);
            // SAFETY: see above.
            callback.map(|callback| unsafe { callback(signal.raw(), number) });
        }
        Completion::Stopped(token) => signal::publish(pointer(token)),
        Completion::Exit { token, exit } => {
            let process = pointer::<uv_process_t>(token);
            let callback = process.with(|process| process.exit_cb);
            // SAFETY: see above.
            callback.map(|callback| unsafe { callback(process.raw(), exit.status, exit.signal) });
        }
        Completion::FsEvent { token, result } => fs_event::on_event(pointer(token), result),
        // The struct has been initialised as another handle.
        Completion::Close(Token::ABANDONED) => {}
        Completion::Close(token) => {
            let handle = pointer::<uv_handle_t>(token);
            handle.seal_closed();
            let callback = handle.with(|handle| handle.close_cb);
            // SAFETY: see above.
            callback.map(|callback| unsafe { callback(handle.raw()) });
        }
    };
}

/// Runs the callback of what the pool has finished. The rules of [`run`] hold.
#[inline(always)]
pub(crate) fn run_work(completion: WorkCompletion) {
    match completion {
        WorkCompletion::Read { token, result } => fs::on_read(pointer(token), result),
        WorkCompletion::Work { token, result } => request::complete(pointer(token), result),
        WorkCompletion::FsPoll { token, result } => fs_poll::on_change(pointer(token), result),
    }
}

/// A write is complete.
#[inline]
fn written(token: Token, result: Result<()>, unwritten: u32, unsent: usize) {
    let request = pointer::<uv_write_t>(token);
    let (handle, callback) = request.with(|request| {
        if result.is_ok() {
            request.send_handle = std::ptr::null_mut();
        } else {
            request.nwritten -= unwritten as usize;
        }
        (request.handle, request.cb)
    });
    // SAFETY: the close callback of the stream runs after this one, so the struct is valid.
    unsafe { Ptr::new(handle) }.with(|stream| stream.write_queue_size = unsent);
    if let Some(callback) = callback {
        // SAFETY: the program keeps the request until this callback, which it passed to `uv_write`.
        unsafe { callback(request.raw(), code(result)) }
    }
}

/// The struct whose address is the token.
fn pointer<T>(token: Token) -> Ptr<T> {
    // SAFETY: `Ptr::token` made the token from a pointer with the guarantees of `Ptr`.
    unsafe { Ptr::new(token.0 as usize as *mut T) }
}
