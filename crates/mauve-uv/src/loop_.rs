//! `uv_loop_*`, `uv_run` and the questions about a loop.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::sync::atomic::{AtomicBool, Ordering};

use mauve_core::{Batch, Completion, Mode, Step};
use mauve_sys::Errno;
use mauve_sys::driver::Driver;

use crate::abi::callbacks::uv_walk_cb;
use crate::abi::*;
use crate::ffi::{Ptr, code, misuse, negative};
use crate::nested::Frame;
use crate::state::LoopState;
use crate::time::uv_hrtime;
use crate::{allocator, check, cork, dispatch, unwinding};

#[export]
pub extern "C" fn uv_loop_init(of: Ptr<uv_loop_t>) -> c_int {
    check::begin();
    unwinding::abort_on_panic();
    if check::on() {
        check::loops::making(of.address());
    }
    let state = match LoopState::new() {
        Ok(state) => Box::new(state),
        Err(error) => return negative(error),
    };
    state.engine.probe().set_name(of.address());
    of.with(|of| {
        of.active_handles = 0;
        of.idle_time = std::sync::Arc::as_ptr(state.engine.idle_time());
        of.probe = state.engine.probe();
        of.state = Box::into_raw(state);
    });
    of.seal_loop();
    if check::on() {
        check::loops::made(of.address());
    }
    publish_backend(of);
    0
}

/// Copies the poller's descriptor to where some programs look for it.
fn publish_backend(of: Ptr<uv_loop_t>) {
    let fd = of.engine("uv_loop_init", |engine| engine.driver().backend_fd().unwrap_or(-1));
    of.with(|of| of.backend_fd = fd);
}

#[export]
pub extern "C" fn uv_loop_close(of: Ptr<uv_loop_t>) -> c_int {
    let state = of.with(|of| of.state);
    if state.is_null() {
        // Closed before. Programs close until they are refused, as libuv 1.44 does.
        return negative(Errno::EBUSY);
    }
    let mut closed = of.engine("uv_loop_close", |engine| engine.close());
    if closed.is_err() {
        forget_replaced(of);
        closed = of.engine("uv_loop_close", |engine| engine.close());
    }
    if let Err(error) = closed {
        if check::on() {
            check::loops::list_busy(of, "uv_loop_close");
        }
        return negative(error);
    }
    if check::on() {
        check::loops::closed(of.address());
    }
    of.with(|of| {
        of.state = std::ptr::null_mut();
        of.probe = std::ptr::null();
        of.idle_time = std::ptr::null();
        of.backend_fd = -1;
    });
    // SAFETY: made by `Box::into_raw` in `uv_loop_init`, and taken out of the struct above.
    drop(unsafe { Box::from_raw(state) });
    DEFAULT_LOOP.forget(of);
    0
}

#[export]
pub extern "C" fn uv_loop_new() -> *mut uv_loop_t {
    let memory = allocator::allocate(size_of::<uv_loop_t>()).cast::<uv_loop_t>();
    if memory.is_null() {
        return memory;
    }
    // SAFETY: fresh memory of the right size; malloc aligns for any type.
    let of = unsafe { Ptr::new(memory) };
    if uv_loop_init(of) != 0 {
        allocator::release(memory.cast());
        return std::ptr::null_mut();
    }
    memory
}

#[export]
pub extern "C" fn uv_loop_delete(of: Ptr<uv_loop_t>) {
    let is_default = DEFAULT_LOOP.is(of);
    if uv_loop_close(of) != 0 {
        misuse("uv_loop_delete", format_args!("the loop at {:#x} is busy", of.address()));
    }
    if !is_default {
        allocator::release(of.raw().cast());
    }
}

#[export]
pub extern "C" fn uv_default_loop() -> *mut uv_loop_t {
    DEFAULT_LOOP.get()
}

/// The storage of the default loop.
struct DefaultLoop {
    storage: UnsafeCell<MaybeUninit<uv_loop_t>>,
    open: AtomicBool,
}

// SAFETY: the storage is only handed out as a pointer. As with libuv, the first call must not
// race with another one.
unsafe impl Sync for DefaultLoop {}

static DEFAULT_LOOP: DefaultLoop =
    DefaultLoop { storage: UnsafeCell::new(MaybeUninit::zeroed()), open: AtomicBool::new(false) };

impl DefaultLoop {
    fn get(&self) -> *mut uv_loop_t {
        let of = self.storage.get().cast::<uv_loop_t>();
        if !self.open.load(Ordering::Acquire) {
            // SAFETY: storage of the right type that lives for ever.
            if uv_loop_init(unsafe { Ptr::new(of) }) != 0 {
                return std::ptr::null_mut();
            }
            self.open.store(true, Ordering::Release);
        }
        of
    }

    fn is(&self, of: Ptr<uv_loop_t>) -> bool {
        std::ptr::eq(of.raw(), self.storage.get().cast())
    }

    fn forget(&self, of: Ptr<uv_loop_t>) {
        if self.is(of) {
            self.open.store(false, Ordering::Release);
        }
    }
}

#[export]
pub extern "C-unwind" fn uv_run(of: Ptr<uv_loop_t>, mode: c_int) -> c_int {
    let mode = match mode {
        UV_RUN_ONCE => Mode::Once,
        UV_RUN_NOWAIT => Mode::NoWait,
        _ => Mode::Default,
    };
    let frame = Frame::of(&mode);
    of.state("uv_run", |state| {
        if !state.runs.is_empty() && check::on() {
            misuse("uv_run", format_args!("the loop at {:#x} is running already", of.address()));
        }
        state.runs.enter(frame, &mut state.engine);
    });
    let checks = check::on();
    loop {
        // Between two callbacks.
        cork::flush();
        if checks {
            let iteration = of.engine("uv_run", |engine| engine.metrics().iterations);
            check::loops::inspect(of.address(), iteration);
        }
        let step = {
            // The last callback may have closed the loop, and then the run is over.
            if of.with(|of| of.state.is_null()) {
                return 0;
            }
            // SAFETY: the borrow of the loop ends with this block.
            let state = unsafe { of.lend_state("uv_run") };
            if !state.runs.are_at(frame) && !state.runs.return_to(frame, &mut state.engine) {
                // A callback has closed the loop and made another one of the struct.
                return c_int::from(state.engine.alive());
            }
            state.engine.set_host_references(host_references(of));
            state.engine.next(mode)
        };
        match step {
            Ok(Step::Call(completion)) => {
                if checks {
                    check::before(&completion);
                }
                dispatch::run(completion);
            }
            // Many short callbacks: each kind has a loop of its own.
            Ok(Step::Batch(batch)) => match batch {
                Batch::Timers => run_batch(of, Batch::Timers),
                Batch::Idle => run_batch(of, Batch::Idle),
                Batch::Prepare => run_batch(of, Batch::Prepare),
                Batch::Check => run_batch(of, Batch::Check),
                Batch::Work => run_work(of),
            },
            Ok(Step::Done { alive }) => {
                of.state("uv_run", |state| state.runs.leave(&mut state.engine));
                return c_int::from(alive);
            }
            Err(error) => misuse("uv_run", format_args!("the poller cannot wait: {error}")),
        }
    }
}

/// Runs a batch of timers or hooks.
#[inline(always)]
fn run_batch(of: Ptr<uv_loop_t>, batch: Batch) {
    let checks = check::on();
    while let Some(completion) = next_in(of, batch) {
        if checks {
            check::before(&completion);
        }
        dispatch::run_hook(completion.token());
    }
}

/// The next completion of a batch. None if a callback has closed the loop.
#[inline(always)]
fn next_in(of: Ptr<uv_loop_t>, batch: Batch) -> Option<Completion> {
    if of.with(|of| of.state.is_null()) {
        return None;
    }
    // SAFETY: the borrow ends with this call, which runs no callback.
    batch.next(unsafe { &mut of.lend_state("uv_run").engine })
}

/// Runs a batch of finished requests.
#[inline(always)]
fn run_work(of: Ptr<uv_loop_t>) {
    let checks = check::on();
    while let Some(completion) = next_in(of, Batch::Work) {
        if checks {
            check::before(&completion);
        }
        dispatch::run(completion);
    }
}

/// Programs (and libuv's own tests) have been seen to count in the struct directly.
fn host_references(of: Ptr<uv_loop_t>) -> usize {
    of.with(|of| of.active_handles) as usize
}

#[export]
pub extern "C" fn uv_stop(of: Ptr<uv_loop_t>) {
    if !of.is_over() {
        of.engine("uv_stop", |engine| engine.stop());
    }
}

#[export]
pub extern "C" fn uv_loop_alive(of: Ptr<uv_loop_t>) -> c_int {
    if of.is_over() {
        return 0;
    }
    of.engine("uv_loop_alive", |engine| {
        engine.set_host_references(host_references(of));
        c_int::from(engine.alive())
    })
}

/// The third argument is variadic in C; every option takes an `int` or nothing, and the calling
/// conventions of the supported platforms pass it in the same register either way.
#[export]
pub extern "C" fn uv_loop_configure(of: Ptr<uv_loop_t>, option: c_int, value: c_int) -> c_int {
    of.engine("uv_loop_configure", |engine| match option {
        UV_METRICS_IDLE_TIME => {
            engine.measure_idle_time();
            0
        }
        UV_LOOP_BLOCK_SIGNAL if value == libc::SIGPROF => {
            engine.driver().block_profiling_signal(true);
            0
        }
        UV_LOOP_BLOCK_SIGNAL => negative(Errno::EINVAL),
        // Accepted, and without effect: file operations have faster paths that need no kernel
        // thread spinning for them.
        UV_LOOP_USE_IO_URING_SQPOLL => 0,
        _ => negative(Errno::ENOSYS),
    })
}

#[export]
pub extern "C" fn uv_loop_fork(of: Ptr<uv_loop_t>) -> c_int {
    let result = of.state("uv_loop_fork", |state| {
        let result = state.engine.reopen_after_fork();
        state.runs.end_elsewhere(&mut state.engine);
        result
    });
    publish_backend(of);
    code(result)
}

#[export]
pub extern "C" fn uv_backend_fd(of: Ptr<uv_loop_t>) -> c_int {
    if of.is_over() {
        return -1;
    }
    if of.probe().is_some_and(|probe| probe.other_runner().is_some()) {
        // The loop runs on another thread, and may be asleep.
        return of.embed_from_elsewhere();
    }
    of.engine("uv_backend_fd", |engine| engine.nested_descriptor().unwrap_or(-1))
}

#[export]
pub extern "C" fn uv_backend_timeout(of: Ptr<uv_loop_t>) -> c_int {
    if of.is_over() {
        return 0;
    }
    of.engine("uv_backend_timeout", |engine| {
        engine.set_host_references(host_references(of));
        match engine.backend_timeout() {
            None => -1,
            Some(ms) => c_int::try_from(ms).unwrap_or(c_int::MAX),
        }
    })
}

#[export]
pub extern "C" fn uv_now(of: Ptr<uv_loop_t>) -> u64 {
    if of.is_over() {
        return uv_hrtime() / 1_000_000;
    }
    of.engine("uv_now", |engine| engine.now())
}

#[export]
pub extern "C" fn uv_update_time(of: Ptr<uv_loop_t>) {
    if !of.is_over() {
        of.engine("uv_update_time", |engine| engine.update_time());
    }
}

#[export]
pub extern "C-unwind" fn uv_walk(of: Ptr<uv_loop_t>, callback: uv_walk_cb, argument: *mut c_void) {
    forget_replaced(of);
    // What exists now is visited, unless a callback has it closed and gone by then.
    let mut handles = ManuallyDrop::new(of.engine("uv_walk", |engine| engine.handles(false)));
    for (id, token) in handles.iter().copied() {
        let exists = of.engine("uv_walk", |engine| engine.status(id).is_some());
        if let Some(callback) = callback.filter(|_| exists) {
            cork::flush();
            // SAFETY: the token is the address of a handle that still exists, and the function is
            // the program's own. No borrow of the loop is held.
            unsafe { callback(token.0 as usize as *mut uv_handle_t, argument) }
        }
    }
    // SAFETY: dropped once, and not used after this.
    unsafe { ManuallyDrop::drop(&mut handles) };
}

/// Ends handles whose structs were initialised again without being closed: a program has no way
/// left to close them. With libuv the new handle takes the place of the old one in the list.
fn forget_replaced(of: Ptr<uv_loop_t>) {
    for (id, token) in of.engine("uv_walk", |engine| engine.handles(false)) {
        // SAFETY: the address of a handle that was not closed, so the struct is still there.
        let handle = unsafe { Ptr::<uv_handle_t>::new(token.0 as usize as *mut uv_handle_t) };
        if handle.is_open() && handle.with(|handle| handle.id) != id.to_bits() {
            of.engine("uv_walk", |engine| engine.abandon(id));
        }
    }
}

#[export(pure)]
pub extern "C" fn uv_loop_size() -> usize {
    size_of::<uv_loop_t>()
}

#[export(pure)]
pub extern "C" fn uv_loop_get_data(of: Ptr<uv_loop_t>) -> *mut c_void {
    of.with(|of| of.data)
}

#[export(pure)]
pub extern "C" fn uv_loop_set_data(of: Ptr<uv_loop_t>, data: *mut c_void) {
    of.with(|of| of.data = data);
}
