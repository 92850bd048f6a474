//! From an exported function to its operation and back to the callback.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::Deref;
use std::ptr::null_mut;

use mauve_core::Token;
use mauve_core::pool::{Lane, Task};
use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::thread::cancellation_point;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, negative};
use crate::fs::read_write;
use crate::why::fs_call;
use crate::{allocator, request, text};

/// What does the work of a request, on whatever thread. Returns the request's result.
pub type Operation = fn(&mut Job) -> Result<isize>;

/// Performs a request without blocking. `None` if it has to block.
pub(super) type Attempt = fn(&mut Job) -> Option<Result<isize>>;

/// An operation that is about to start.
pub(super) struct Call {
    kind: uv_fs_type,
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    callback: uv_fs_cb,
    path: *const c_char,
    new_path: *mut c_char,
    owns_paths: bool,
    ptr: *mut c_void,
    arguments: uv_fs_arguments_t,
    /// Whether it is a read that the engine can perform.
    is_read: bool,
    attempt: Option<Attempt>,
    /// Whether the attempt pays only if the loop waits for no other request.
    if_alone: bool,
}

impl Call {
    pub fn new(
        kind: uv_fs_type,
        of: Ptr<uv_loop_t>,
        request: Ptr<uv_fs_t>,
        callback: uv_fs_cb,
    ) -> Self {
        Self {
            kind,
            of,
            request,
            callback,
            path: null_mut(),
            new_path: null_mut(),
            owns_paths: callback.is_some(),
            ptr: null_mut(),
            arguments: uv_fs_arguments_t::NONE,
            is_read: false,
            attempt: None,
            if_alone: false,
        }
    }

    /// What to tell the operation besides its paths.
    pub fn with(self, arguments: uv_fs_arguments_t) -> Self {
        Self { arguments, ..self }
    }

    pub fn path(self, path: Ptr<c_char>) -> Self {
        Self { path: path.raw(), ..self }
    }

    pub fn paths(self, path: Ptr<c_char>, new_path: Ptr<c_char>) -> Self {
        Self { new_path: new_path.raw(), ..self.path(path) }
    }

    /// A path that the operation changes, so that it is copied in any case.
    pub fn template(self, template: Ptr<c_char>) -> Self {
        Self { owns_paths: true, ..self.path(template) }
    }

    /// A directory that was opened before.
    pub fn about(self, directory: Ptr<uv_dir_t>) -> Self {
        Self { ptr: directory.raw().cast(), ..self }
    }

    /// What to attempt on the loop's own thread first.
    pub fn first(self, attempt: Attempt) -> Self {
        Self { attempt: Some(attempt), ..self }
    }

    /// [`first`](Self::first), for an attempt that costs more than the operation itself: it saves
    /// the way to the pool and back, but among many requests that way costs little.
    pub fn first_if_alone(self, attempt: Attempt) -> Self {
        Self { if_alone: true, ..self.first(attempt) }
    }

    /// A read: the engine performs it if it can, and reports it to
    /// [`read_ended`](super::read_ended).
    pub fn reading(self) -> Self {
        Self { is_read: true, ..self }
    }

    /// Starts the operation. Returns its result if there is no callback, and otherwise whether it
    /// will be called.
    pub fn run(self, operation: Operation) -> c_int {
        self.run_if(Ok(()), operation)
    }

    /// [`run`](Self::run), unless the arguments were found to be wrong. The request is initialised
    /// in any case, for the cleanup that follows.
    #[inline(never)]
    pub fn run_if(self, valid: Result<()>, operation: Operation) -> c_int {
        self.run_inline(valid, operation)
    }

    /// [`run_if`](Self::run_if), as part of its caller: what goes into the request is then written
    /// there and nowhere else. For operations of which there are many.
    #[inline(always)]
    pub fn run_inline(mut self, valid: Result<()>, operation: Operation) -> c_int {
        if self.request.is_null() {
            return negative(Errno::EINVAL);
        }
        check::requests::begins(self.request, fs_call(self.kind));
        self.arguments.operation = Some(operation);
        self.initialise();
        if let Err(error) = valid.and_then(|()| self.store()) {
            self.request.with(|fs| fs.arguments = uv_fs_arguments_t::NONE);
            return negative(error);
        }
        if self.callback.is_none() {
            perform_here(self.kind, self.request.raw());
            return self.request.with(|fs| fs.result) as c_int;
        }
        self.start()
    }

    #[inline(always)]
    fn initialise(&self) {
        self.request.with(|fs| {
            fs.r#type = UV_FS;
            fs.fs_type = self.kind;
            fs.r#loop = self.of.raw();
            fs.cb = self.callback;
            fs.result = 0;
            fs.ptr = null_mut();
            fs.path = null_mut();
        });
    }

    /// Puts what the operation needs into the request, with copies of what the program may free.
    #[inline(always)]
    fn store(&self) -> Result<()> {
        let (path, new_path) = if self.owns_paths && !self.path.is_null() {
            copies(self.path, self.new_path)?
        } else {
            (self.path, self.new_path)
        };
        // In place, see `run_inline`.
        self.request.with(
            #[inline(always)]
            |fs| {
                fs.path = path;
                fs.ptr = self.ptr;
                fs.arguments = uv_fs_arguments_t { new_path, ..self.arguments };
                if self.arguments.nbufs > 0 {
                    fs.arguments.bufs = null_mut();
                    let (given, count) = (self.arguments.bufs, self.arguments.nbufs);
                    let copy = copy_buffers(given, count, &mut fs.buffers);
                    fs.arguments.bufs = copy.ok_or(Errno::ENOMEM)?;
                }
                Ok(())
            },
        )
    }

    #[inline(always)]
    fn start(&self) -> c_int {
        let call = fs_call(self.kind);
        let request = self.request.raw();
        let token = Token(self.request.address());
        if self.is_read
            && let Some(read) = read_write::describe(&self.arguments)
        {
            let id = self.of.engine(call, |engine| engine.submit_read(token, read));
            request::started(call, request.cast(), id);
            return 0;
        }
        request::start(call, self.of, request.cast(), |engine| {
            let task = Task::Call(|address| perform(address as usize as *mut uv_fs_t), token.0);
            match self.attempt {
                Some(attempt) if !(self.if_alone && engine.has_requests()) => {
                    let attempt = || match attempt(&mut Job::of(request)) {
                        Some(result) => {
                            // SAFETY: see `Job`.
                            unsafe { (*request).result = number(result) };
                            true
                        }
                        None => false,
                    };
                    engine.attempt_or_submit_work(token, attempt, task)
                }
                _ => engine.submit_work(token, Lane::Normal, task),
            }
        })
    }
}

/// Copies of one or two strings, in one block.
fn copies(path: *const c_char, new_path: *const c_char) -> Result<(*const c_char, *mut c_char)> {
    // SAFETY: a string of the program, which stays for the length of the call.
    let bytes = |text| unsafe { CStr::from_ptr(text) }.to_bytes();
    if new_path.is_null() {
        let copy = text::duplicate(bytes(path));
        return if copy.is_null() { Err(Errno::ENOMEM) } else { Ok((copy, null_mut())) };
    }
    let block = text::block(0, &[bytes(path), bytes(new_path)]);
    let (_, strings) = block.ok_or(Errno::ENOMEM)?;
    Ok((strings[0], strings[1]))
}

/// Copies the list of buffers, into `room` if it fits. `None` if there is no memory.
fn copy_buffers(
    buffers: *const uv_buf_t,
    count: u32,
    room: &mut [uv_buf_t; 4],
) -> Option<*mut uv_buf_t> {
    let count = count as usize;
    let copy = if count <= room.len() {
        room.as_mut_ptr()
    } else {
        allocator::allocate(count * size_of::<uv_buf_t>()).cast::<uv_buf_t>()
    };
    if copy.is_null() {
        return None;
    }
    // SAFETY: the program vouches for its list, and there is room for as many.
    unsafe { copy.copy_from_nonoverlapping(buffers, count) };
    Some(copy)
}

/// Does the work of a request on the program's thread. Where libuv lets that thread be cancelled
/// (`pthread_cancel`) it can be cancelled here: its functions are `extern "C-unwind"`.
fn perform_here(kind: uv_fs_type, request: *mut uv_fs_t) {
    match kind {
        // These have nothing to clean up while they block.
        UV_FS_OPEN | UV_FS_READ | UV_FS_WRITE | UV_FS_FSYNC | UV_FS_FDATASYNC => perform(request),
        UV_FS_COPYFILE | UV_FS_MKSTEMP => {
            cancellation_point();
            with_cancellation_disabled(|| perform(request));
        }
        _ => with_cancellation_disabled(|| perform(request)),
    }
}

/// Does the work of a request.
fn perform(request: *mut uv_fs_t) {
    let mut job = Job::of(request);
    let operation = job.operation.expect("stored when the request was started");
    let result = number(operation(&mut job));
    // SAFETY: see `Job`.
    unsafe { (*request).result = result };
}

pub(super) fn number(result: Result<isize>) -> isize {
    result.unwrap_or_else(|error| negative(error) as isize)
}

/// The result of an operation that has none but success.
pub(super) fn done(result: Result<()>) -> Result<isize> {
    result.map(|()| 0)
}

/// Reports a request that has ended, or was taken back.
pub(crate) fn complete(request: Ptr<uv_fs_t>, result: Result<()>) {
    let callback = request.with(|fs| {
        if let Err(error) = result {
            fs.result = negative(error) as isize;
        }
        fs.cb
    });
    if let Some(callback) = callback {
        // SAFETY: the program's own function, called with the request it was given for. No borrow
        // of anything of ours is held.
        unsafe { callback(request.raw()) }
    }
}

/// A request in the hands of the thread that does its work.
///
/// The program keeps the struct until its callback. The loop's thread may store the id meanwhile,
/// so single fields are touched and no reference is made to the whole.
pub struct Job {
    request: *mut uv_fs_t,
    arguments: uv_fs_arguments_t,
}

impl Deref for Job {
    type Target = uv_fs_arguments_t;

    fn deref(&self) -> &uv_fs_arguments_t {
        &self.arguments
    }
}

impl Job {
    pub(super) fn of(request: *mut uv_fs_t) -> Self {
        // SAFETY: as said above.
        Self { request, arguments: unsafe { (*request).arguments } }
    }

    pub fn path(&self) -> &CStr {
        // SAFETY: as said above.
        borrow(unsafe { (*self.request).path })
    }

    pub fn new_path(&self) -> &CStr {
        borrow(self.new_path)
    }

    /// The path, of which this thread may change the bytes.
    pub fn name(&mut self) -> &mut [u8] {
        let length = self.path().count_bytes();
        // SAFETY: our own copy of the string, which only this thread uses.
        unsafe { std::slice::from_raw_parts_mut((*self.request).path.cast_mut().cast(), length) }
    }

    /// Changes what the operation is told when it is tried again.
    pub fn change(&mut self, change: impl FnOnce(&mut uv_fs_arguments_t)) {
        change(&mut self.arguments);
        // SAFETY: as said above.
        unsafe { (*self.request).arguments = self.arguments };
    }

    pub fn ptr<T>(&self) -> *mut T {
        // SAFETY: as said above.
        unsafe { (*self.request).ptr }.cast()
    }

    pub fn set_ptr<T>(&mut self, pointer: *mut T) {
        // SAFETY: as said above.
        unsafe { (*self.request).ptr = pointer.cast() };
    }

    pub fn set_stat(&mut self, stat: uv_stat_t) {
        // SAFETY: as said above.
        let room = unsafe { &raw mut (*self.request).statbuf };
        // SAFETY: as said above.
        unsafe { room.write(stat) };
        self.set_ptr(room);
    }

    /// Frees the list of buffers, if it did not fit into the request.
    pub fn release_buffers(&mut self) {
        // SAFETY: as said above.
        if !std::ptr::eq(self.bufs, unsafe { &raw const (*self.request).buffers }.cast()) {
            allocator::release(self.bufs.cast());
        }
        self.change(|arguments| arguments.bufs = null_mut());
    }
}

fn borrow<'a>(text: *const c_char) -> &'a CStr {
    assert!(!text.is_null(), "mauve: a null pointer where libuv allows none");
    // SAFETY: not null; a string of the program, or our copy of it, that stays during the work.
    unsafe { CStr::from_ptr(text) }
}
