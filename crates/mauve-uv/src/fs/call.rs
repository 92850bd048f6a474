//! Runs the operation of an exported function, and calls its callback.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::Deref;
use std::ptr::null_mut;

use mauve_core::Token;
use mauve_core::pool::{Lane, Task};
use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::fs::interrupt::{Direction, Interrupt};
use mauve_sys::thread::cancellation_point;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::check;
use crate::describe::fs_call;
use crate::ffi::{Ptr, negative};
use crate::fs::read_write;
use crate::{allocator, file, request, text};

/// A flag of a loop: reads and writes that wait can be cancelled.
pub(crate) const INTERRUPTIBLE: usize = 1;

/// Performs a request, on any thread. Returns the result of the request.
pub type Operation = fn(&mut FsJob) -> Result<isize>;

/// Performs a request without blocking. `None` if it has to block.
pub(super) type Attempt = fn(&mut FsJob) -> Option<Result<isize>>;

/// An operation that is about to start.
pub(super) struct FsCall {
    kind: uv_fs_type,
    loop_: Ptr<uv_loop_t>,
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
    /// Whether the attempt is worthwhile only if the loop has no other request.
    if_alone: bool,
    /// What the operation may have to wait for, so that `uv_cancel` can end the wait.
    interrupt: Option<Direction>,
}

impl FsCall {
    pub fn new(
        kind: uv_fs_type,
        loop_: Ptr<uv_loop_t>,
        request: Ptr<uv_fs_t>,
        callback: uv_fs_cb,
    ) -> Self {
        Self {
            kind,
            loop_,
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
            interrupt: None,
        }
    }

    /// Sets the arguments that are not paths.
    pub fn with(self, arguments: uv_fs_arguments_t) -> Self {
        Self { arguments, ..self }
    }

    pub fn path(self, path: Ptr<c_char>) -> Self {
        Self { path: path.raw(), ..self }
    }

    pub fn paths(self, path: Ptr<c_char>, new_path: Ptr<c_char>) -> Self {
        Self { new_path: new_path.raw(), ..self.path(path) }
    }

    /// Sets a path that the operation modifies, so that it is always copied.
    pub fn template(self, template: Ptr<c_char>) -> Self {
        Self { owns_paths: true, ..self.path(template) }
    }

    /// Sets the directory from `uv_fs_opendir`.
    pub fn directory(self, directory: Ptr<uv_dir_t>) -> Self {
        Self { ptr: directory.raw().cast(), ..self }
    }

    /// Sets a non-blocking attempt that the loop thread makes first.
    pub fn attempt(self, attempt: Attempt) -> Self {
        Self { attempt: Some(attempt), ..self }
    }

    /// [`attempt`](Self::attempt), for an attempt that costs more than the operation itself. It
    /// avoids the pool, whose overhead is small if there are many requests.
    pub fn attempt_if_alone(self, attempt: Attempt) -> Self {
        Self { if_alone: true, ..self.attempt(attempt) }
    }

    /// Marks a read: the engine performs it if possible, and completes it with
    /// [`on_read`](super::on_read).
    pub fn engine_read(self) -> Self {
        Self { is_read: true, ..self }
    }

    /// Marks an operation that a loop which is configured for io_uring can cancel while it waits.
    pub fn interrupt(self, direction: Direction) -> Self {
        Self { interrupt: Some(direction), ..self }
    }

    /// Starts the operation. Returns its result if there is no callback, otherwise 0 or an error.
    pub fn run(self, operation: Operation) -> c_int {
        self.run_if(Ok(()), operation)
    }

    /// [`run`](Self::run), if the arguments are valid. The request is always initialised, for
    /// `uv_fs_req_cleanup`.
    #[inline(never)]
    pub fn run_if(self, valid: Result<()>, operation: Operation) -> c_int {
        self.run_inline(valid, operation)
    }

    /// [`run_if`](Self::run_if), inlined, so that arguments are written directly to the request.
    /// For frequent operations.
    #[inline(always)]
    pub fn run_inline(mut self, valid: Result<()>, operation: Operation) -> c_int {
        if self.request.is_null() {
            return negative(Errno::EINVAL);
        }
        check::requests::before_submit(self.request, fs_call(self.kind));
        self.arguments.operation = Some(operation);
        self.initialise();
        if let Err(error) = valid.and_then(|()| self.store()) {
            self.request.with(|fs| fs.arguments = uv_fs_arguments_t::NONE);
            return negative(error);
        }
        if self.callback.is_none() {
            perform_sync(self.kind, self.request.raw());
            return self.request.with(|fs| fs.result) as c_int;
        }
        self.start()
    }

    #[inline(always)]
    fn initialise(&self) {
        self.request.with(|fs| {
            fs.r#type = UV_FS;
            fs.fs_type = self.kind;
            fs.r#loop = self.loop_.raw();
            fs.cb = self.callback;
            fs.result = 0;
            fs.ptr = null_mut();
            fs.path = null_mut();
        });
    }

    /// Stores the arguments in the request, with copies of memory that the program may free.
    #[inline(always)]
    fn store(&self) -> Result<()> {
        let (path, new_path) = if self.owns_paths && !self.path.is_null() {
            copies(self.path, self.new_path)?
        } else {
            (self.path, self.new_path)
        };
        // Written in place, see `run_inline`.
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
        if self.interrupt.is_some()
            && !self.loop_.is_null()
            && self.loop_.with(|loop_| loop_.flags) & INTERRUPTIBLE != 0
            && let Some(result) = self.start_interruptible()
        {
            return result;
        }
        if self.is_read
            && let Some(read) = read_write::describe(&self.arguments)
        {
            return match self.loop_.engine(call, |engine| engine.submit_read(token, read)) {
                Ok(id) => {
                    request::started(call, request.cast(), id);
                    0
                }
                Err(error) => negative(error),
            };
        }
        request::start(call, self.loop_, request.cast(), |engine| {
            let task = Task::Call(|address| perform(address as usize as *mut uv_fs_t), token.0);
            match self.attempt {
                Some(attempt) if !(self.if_alone && engine.has_requests()) => {
                    let attempt = || match attempt(&mut FsJob::of(request)) {
                        Some(result) => {
                            // SAFETY: the program keeps the struct until its callback, and only
                            // this thread uses the field.
                            unsafe { (*request).result = result_code(result) };
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

impl FsCall {
    /// Starts an operation that may wait for any time, on a thread that no other request needs. `None`
    /// if it does not wait: libuv's io_uring blocks for the same descriptors only.
    #[cold]
    fn start_interruptible(&self) -> Option<c_int> {
        if self.arguments.offset >= 0 {
            return None;
        }
        let interrupt = Box::new(Interrupt::for_descriptor(file::descriptor(self.arguments.file))?);
        self.request.with(|fs| fs.arguments.new_path = Box::into_raw(interrupt).cast());
        let run = |address| perform(address as usize as *mut uv_fs_t);
        let (call, request) = (fs_call(self.kind), self.request.raw().cast());
        let result = request::submit(call, self.loop_, request, Lane::Blocking, run);
        if result < 0 {
            self.request.with(drop_interrupt);
        }
        Some(result)
    }
}

/// Cancels a request that runs. Returns whether its callback gets `UV_ECANCELED`.
pub(crate) fn interrupt(request: Ptr<uv_fs_t>) -> bool {
    let interrupt = request.with(|fs| match fs.fs_type {
        UV_FS_READ | UV_FS_WRITE => fs.arguments.new_path.cast::<Interrupt>(),
        _ => null_mut(),
    });
    // SAFETY: null, or the box of a request whose callback has not run.
    unsafe { interrupt.as_ref() }.is_some_and(Interrupt::cancel)
}

fn drop_interrupt(fs: &mut uv_fs_t) {
    if matches!(fs.fs_type, UV_FS_READ | UV_FS_WRITE) && !fs.arguments.new_path.is_null() {
        let interrupt = std::mem::take(&mut fs.arguments.new_path);
        // SAFETY: from `start_interruptible`. The request does not run, and nothing else has the pointer.
        drop(unsafe { Box::from_raw(interrupt.cast::<Interrupt>()) });
    }
}

/// Copies of one or two strings, in one block.
fn copies(path: *const c_char, new_path: *const c_char) -> Result<(*const c_char, *mut c_char)> {
    // SAFETY: a string of the program, valid during the call.
    let bytes = |text| unsafe { CStr::from_ptr(text) }.to_bytes();
    if new_path.is_null() {
        let copy = text::duplicate(bytes(path));
        return if copy.is_null() { Err(Errno::ENOMEM) } else { Ok((copy, null_mut())) };
    }
    let block = text::allocate_block(0, &[bytes(path), bytes(new_path)]);
    let (_, strings) = block.ok_or(Errno::ENOMEM)?;
    Ok((strings[0], strings[1]))
}

/// Copies the list of buffers, into `inline` if it fits. `None` if the allocation fails.
fn copy_buffers(
    buffers: *const uv_buf_t,
    count: u32,
    inline: &mut [uv_buf_t; 4],
) -> Option<*mut uv_buf_t> {
    let count = count as usize;
    let copy = if count <= inline.len() {
        inline.as_mut_ptr()
    } else {
        allocator::allocate(count * size_of::<uv_buf_t>()).cast::<uv_buf_t>()
    };
    if copy.is_null() {
        return None;
    }
    // SAFETY: the program guarantees `count` buffers, and the copy has space for them.
    unsafe { copy.copy_from_nonoverlapping(buffers, count) };
    Some(copy)
}

/// Performs a request on the calling thread. The thread can be cancelled (`pthread_cancel`) in the
/// same operations as in libuv, whose functions are `extern "C-unwind"`.
fn perform_sync(kind: uv_fs_type, request: *mut uv_fs_t) {
    match kind {
        // These have no values to drop while they block.
        UV_FS_OPEN | UV_FS_READ | UV_FS_WRITE | UV_FS_FSYNC | UV_FS_FDATASYNC => perform(request),
        UV_FS_COPYFILE | UV_FS_MKSTEMP => {
            cancellation_point();
            with_cancellation_disabled(|| perform(request));
        }
        _ => with_cancellation_disabled(|| perform(request)),
    }
}

/// Performs a request.
fn perform(request: *mut uv_fs_t) {
    let mut job = FsJob::of(request);
    let operation = job.operation.expect("stored when the request was started");
    let result = result_code(operation(&mut job));
    // SAFETY: the program keeps the struct until its callback, and only this thread uses the field.
    unsafe { (*request).result = result };
}

pub(super) fn result_code(result: Result<isize>) -> isize {
    result.unwrap_or_else(|error| negative(error) as isize)
}

/// The result of an operation that returns only success.
pub(super) fn done(result: Result<()>) -> Result<isize> {
    result.map(|()| 0)
}

/// Calls the callback of a request that has completed or was cancelled.
pub(crate) fn complete(request: Ptr<uv_fs_t>, result: Result<()>) {
    let callback = request.with(|fs| {
        drop_interrupt(fs);
        if let Err(error) = result {
            fs.result = negative(error) as isize;
        }
        fs.cb
    });
    if let Some(callback) = callback {
        // SAFETY: the program passed the function for this request. No borrow of library state is
        // held.
        unsafe { callback(request.raw()) }
    }
}

/// A request on the thread that performs it.
///
/// The program keeps the struct until its callback. The loop thread may store the id meanwhile, so
/// single fields are accessed and no reference to the struct is created.
pub struct FsJob {
    request: *mut uv_fs_t,
    arguments: uv_fs_arguments_t,
}

impl Deref for FsJob {
    type Target = uv_fs_arguments_t;

    fn deref(&self) -> &uv_fs_arguments_t {
        &self.arguments
    }
}

impl FsJob {
    pub(super) fn of(request: *mut uv_fs_t) -> Self {
        // SAFETY: the program keeps the struct until its callback; copies one field.
        Self { request, arguments: unsafe { (*request).arguments } }
    }

    /// For reads and writes: waits until bytes can be transferred, if it can be cancelled meanwhile.
    pub fn wait_until_ready(&self, direction: Direction) -> Result<()> {
        // SAFETY: null, or a box that is dropped after the request has run.
        match unsafe { self.new_path.cast::<Interrupt>().as_ref() } {
            Some(interrupt) => interrupt.wait(self.descriptor(), direction),
            None => Ok(()),
        }
    }

    /// The descriptor of the file.
    #[inline(always)]
    pub fn descriptor(&self) -> RawDescriptor {
        file::descriptor(self.file)
    }

    pub fn path(&self) -> &CStr {
        // SAFETY: the program keeps the struct until its callback; reads one field.
        borrow(unsafe { (*self.request).path })
    }

    pub fn new_path(&self) -> &CStr {
        borrow(self.new_path)
    }

    /// The bytes of the path, which the operation may modify.
    pub fn name(&mut self) -> &mut [u8] {
        let length = self.path().count_bytes();
        // SAFETY: a copy that the request owns, and that only this thread uses.
        unsafe { std::slice::from_raw_parts_mut((*self.request).path.cast_mut().cast(), length) }
    }

    /// Changes the arguments, for the continuation on the pool.
    pub fn change(&mut self, change: impl FnOnce(&mut uv_fs_arguments_t)) {
        change(&mut self.arguments);
        // SAFETY: the program keeps the struct until its callback, and only this thread uses the
        // field.
        unsafe { (*self.request).arguments = self.arguments };
    }

    pub fn ptr<T>(&self) -> *mut T {
        // SAFETY: the program keeps the struct until its callback; reads one field.
        unsafe { (*self.request).ptr }.cast()
    }

    pub fn set_ptr<T>(&mut self, pointer: *mut T) {
        // SAFETY: the program keeps the struct until its callback, and only this thread uses the
        // field.
        unsafe { (*self.request).ptr = pointer.cast() };
    }

    pub fn set_stat(&mut self, stat: uv_stat_t) {
        // SAFETY: the program keeps the struct until its callback.
        let statbuf = unsafe { &raw mut (*self.request).statbuf };
        // SAFETY: a field of that struct, which only this thread uses.
        unsafe { statbuf.write(stat) };
        self.set_ptr(statbuf);
    }

    /// Frees the list of buffers, if it did not fit into the request.
    pub fn release_buffers(&mut self) {
        // SAFETY: the program keeps the struct until its callback; takes the address of a field.
        if !std::ptr::eq(self.bufs, unsafe { &raw const (*self.request).buffers }.cast()) {
            allocator::release(self.bufs.cast());
        }
        self.change(|arguments| (arguments.bufs, arguments.nbufs) = (null_mut(), 0));
    }
}

fn borrow<'a>(text: *const c_char) -> &'a CStr {
    assert!(!text.is_null(), "mauve: a null pointer where libuv allows none");
    // SAFETY: not null; a string of the program, or a copy of it, that is valid until the callback.
    unsafe { CStr::from_ptr(text) }
}
