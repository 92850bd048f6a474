//! `uv_loop_*`, `uv_run` and the functions that query a loop.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::sync::atomic::{AtomicBool, Ordering};

use mauve_core::probe::LoopProbe;
use mauve_core::trace::{self, CallbackKind};
use mauve_core::{Engine, HookBatch, Mode, Step, Token, WorkBatch};
use mauve_sys::driver::Platform;
use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_walk_cb;
use crate::abi::*;
use crate::ffi::{Ptr, abort_misuse, code, negative};
use crate::nested::Frame;
use crate::state::LoopState;
use crate::time::uv_hrtime;
use crate::{allocator, check, dispatch, fs, system, unwinding};

#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_init(loop_: Ptr<uv_loop_t>) -> c_int {
    check::configure();
    unwinding::abort_on_panic();
    if check::is_enabled() {
        check::loops::before_init(loop_.address());
    }
    let state = match LoopState::new() {
        Ok(state) => state,
        Err(error) => return negative(error),
    };
    state.engine.probe().set_uv_loop(loop_.address());
    loop_.with(|loop_| {
        loop_.active_handles = 0;
        loop_.flags = 0;
        loop_.idle_time = std::sync::Arc::as_ptr(state.engine.idle_time());
        loop_.probe = state.engine.probe();
        loop_.state = Box::into_raw(state);
    });
    loop_.seal_loop();
    if check::is_enabled() {
        check::loops::on_init(loop_.address());
    }
    publish_backend_fd(loop_);
    0
}

/// Copies the backend descriptor to the field that some programs read.
fn publish_backend_fd(loop_: Ptr<uv_loop_t>) {
    let fd =
        loop_.engine("uv_loop_init", |engine| system::backend_fd(engine.driver().backend_fd()));
    loop_.with(|loop_| loop_.backend_fd = fd);
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_close(loop_: Ptr<uv_loop_t>) -> c_int {
    with_cancellation_disabled(|| close(loop_))
}

fn close(loop_: Ptr<uv_loop_t>) -> c_int {
    let state = loop_.with(|loop_| loop_.state);
    if state.is_null() {
        // Already closed. Some programs call this until it fails, which libuv 1.44 tolerates.
        return negative(Errno::EBUSY);
    }
    if loop_.probe().is_some_and(|probe| probe.is_asleep() && probe.other_runner().is_some()) {
        // Another thread waits in its poll phase.
        return negative(Errno::EBUSY);
    }
    let mut closed = loop_.engine("uv_loop_close", |engine| engine.close());
    if closed.is_err() {
        abandon_reinitialised(loop_);
        closed = loop_.engine("uv_loop_close", |engine| engine.close());
    }
    if let Err(error) = closed {
        if check::is_enabled() {
            check::loops::print_busy(loop_, "uv_loop_close");
        }
        return negative(error);
    }
    let time = loop_.engine("uv_loop_close", |engine| engine.now());
    if check::is_enabled() {
        check::loops::on_close(loop_.address());
    }
    loop_.with(|loop_| {
        loop_.closed_time = time;
        loop_.state = std::ptr::null_mut();
        loop_.probe = std::ptr::null();
        loop_.idle_time = std::ptr::null();
        loop_.backend_fd = -1;
    });
    // SAFETY: from `Box::into_raw` in `uv_loop_init`, and removed from the struct above.
    drop(unsafe { Box::from_raw(state) });
    DEFAULT_LOOP.mark_closed(loop_);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_new() -> *mut uv_loop_t {
    let memory = allocator::allocate(size_of::<uv_loop_t>()).cast::<uv_loop_t>();
    if memory.is_null() {
        return memory;
    }
    // SAFETY: new memory of the right size; malloc aligns for any type.
    let loop_ = unsafe { Ptr::new(memory) };
    if uv_loop_init(loop_) != 0 {
        allocator::release(memory.cast());
        return std::ptr::null_mut();
    }
    memory
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_delete(loop_: Ptr<uv_loop_t>) {
    let is_default = DEFAULT_LOOP.is(loop_);
    if uv_loop_close(loop_) != 0 {
        abort_misuse("uv_loop_delete", format_args!("the loop at {:#x} is busy", loop_.address()));
    }
    if !is_default {
        allocator::release(loop_.raw().cast());
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_default_loop() -> *mut uv_loop_t {
    DEFAULT_LOOP.get()
}

/// The storage of the default loop.
struct DefaultLoop {
    storage: UnsafeCell<MaybeUninit<uv_loop_t>>,
    open: AtomicBool,
}

// SAFETY: the storage is only returned as a pointer. As with libuv, the first call must not race
// with another one.
unsafe impl Sync for DefaultLoop {}

static DEFAULT_LOOP: DefaultLoop =
    DefaultLoop { storage: UnsafeCell::new(MaybeUninit::zeroed()), open: AtomicBool::new(false) };

impl DefaultLoop {
    fn get(&self) -> *mut uv_loop_t {
        let loop_ = self.storage.get().cast::<uv_loop_t>();
        if !self.open.load(Ordering::Acquire) {
            // SAFETY: static storage of the right type.
            if uv_loop_init(unsafe { Ptr::new(loop_) }) != 0 {
                return std::ptr::null_mut();
            }
            self.open.store(true, Ordering::Release);
        }
        loop_
    }

    fn is(&self, loop_: Ptr<uv_loop_t>) -> bool {
        std::ptr::eq(loop_.raw(), self.storage.get().cast())
    }

    fn mark_closed(&self, loop_: Ptr<uv_loop_t>) {
        if self.is(loop_) {
            self.open.store(false, Ordering::Release);
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_run(loop_: Ptr<uv_loop_t>, mode: c_int) -> c_int {
    let mode = match mode {
        UV_RUN_ONCE => Mode::Once,
        UV_RUN_NOWAIT => Mode::NoWait,
        _ => Mode::Default,
    };
    let frame = Frame::of(&mode);
    if !loop_.is_null()
        && !check::is_enabled()
        && let Some(probe) = loop_.probe()
        && probe.is_asleep()
    {
        check::threads::require_loop_thread(loop_, probe, "uv_run");
    }
    let checks = check::is_enabled();
    let (mut probe, mut state) = loop_.enter_run("uv_run", |state| {
        if checks {
            check_run(loop_, state);
        }
        state.runs.enter(frame, &mut state.engine);
    });
    loop {
        let step = advance(state, loop_, probe, mode);
        probe.leave_here();
        match step {
            Ok(Step::Call(completion)) => {
                if checks {
                    check::before_callback(&completion);
                }
                if trace::is_on() {
                    trace_callback(loop_, CallbackKind::of(&completion), completion.token());
                }
                dispatch::run(completion);
            }
            // Each kind of handle has its own loop, because the callbacks are short.
            Ok(Step::Hooks(batch)) => match batch {
                HookBatch::Timers => run_hooks(loop_, HookBatch::Timers),
                HookBatch::Idle => run_hooks(loop_, HookBatch::Idle),
                HookBatch::Prepare => run_hooks(loop_, HookBatch::Prepare),
                HookBatch::Check => run_hooks(loop_, HookBatch::Check),
            },
            Ok(Step::Work(batch)) => run_work(loop_, batch),
            Ok(Step::Done { alive }) => return c_int::from(alive),
            Err(error) => abort_misuse("uv_run", format_args!("the poll phase failed: {error}")),
        }
        if checks {
            loop_.engine("uv_run", |engine| check_handles(loop_, engine));
        }
        // The last callback may have closed the loop, which ends the run.
        let Some(found) = loop_.probe() else { return 0 };
        probe = found;
        probe.enter_here();
        // SAFETY: the gate is entered, and the borrow ends before the next wait.
        let found = unsafe { loop_.state_mut("uv_run") };
        if !found.runs.is_innermost(frame) && !found.runs.return_to(frame, &mut found.engine) {
            // A callback has closed the loop and initialised the struct again.
            let alive = found.engine.alive();
            probe.leave_here();
            return c_int::from(alive);
        }
        state = found;
    }
}

/// Continues the run until there is something to do for the host, or removes it when it has ended. Gives
/// the engine up while it waits. The gate is entered before and afterwards.
#[inline(always)]
fn advance(
    state: *mut LoopState,
    loop_: Ptr<uv_loop_t>,
    probe: &LoopProbe,
    mode: Mode,
) -> Result<Step> {
    // SAFETY: the gate is entered, and the borrow ends with the statement.
    unsafe { &mut (*state).engine }.set_host_references(host_references(loop_));
    loop {
        let wait = {
            // SAFETY: the gate is entered, and the borrow ends with this block.
            let LoopState { engine, runs, .. } = unsafe { &mut *state };
            if let Some(result) = engine.advance(mode) {
                if let Ok(Step::Done { .. }) = result {
                    runs.exit(engine);
                }
                return result;
            }
            let timeout = engine.begin_wait();
            engine.driver().begin_wait(timeout)
        };
        probe.leave_here();
        // SAFETY: no other thread runs or closes the loop while this one runs it.
        let count = unsafe { wait.run() };
        probe.enter_here();
        // SAFETY: the gate is entered, and the borrow ends with this iteration.
        let engine = unsafe { &mut (*state).engine };
        engine.end_wait(|driver, events| driver.end_wait(wait, count, events))?;
    }
}

/// The checks of `MAUVE_CHECK` at the beginning of a run.
#[cold]
fn check_run(loop_: Ptr<uv_loop_t>, state: &LoopState) {
    if !state.runs.is_empty() {
        abort_misuse(
            "uv_run",
            format_args!("the loop at {:#x} is running already", loop_.address()),
        );
    }
    check_handles(loop_, &state.engine);
}

/// Looks for handles that the program has overwritten.
#[cold]
fn check_handles(loop_: Ptr<uv_loop_t>, engine: &Engine<Platform>) {
    check::loops::check_handles(loop_.address(), engine.metrics().iterations);
}

/// Called before a callback that is traced, outside of batches.
#[cold]
#[inline(never)]
fn trace_callback(loop_: Ptr<uv_loop_t>, kind: Option<CallbackKind>, token: Token) {
    loop_.engine("uv_run", |engine| engine.trace_callback(kind, token));
}

/// Runs a batch of timers, or of idle, prepare or check handles.
#[inline(always)]
fn run_hooks(loop_: Ptr<uv_loop_t>, batch: HookBatch) {
    let checks = check::is_enabled();
    while let Some(token) = next_of(loop_, |engine| batch.next(engine)) {
        if checks {
            check::handles::before_callback(token.0);
        }
        dispatch::run_hook(token);
    }
}

/// Runs a batch of finished requests.
#[inline(always)]
fn run_work(loop_: Ptr<uv_loop_t>, batch: WorkBatch) {
    let checks = check::is_enabled();
    while let Some(completion) = next_of(loop_, |engine| batch.next(engine)) {
        if checks {
            check::before_work_callback(&completion);
        }
        dispatch::run_work(completion);
    }
}

/// The next element of a batch. None if a callback has closed the loop.
#[inline(always)]
fn next_of<T>(
    loop_: Ptr<uv_loop_t>,
    next: impl FnOnce(&mut Engine<Platform>) -> Option<T>,
) -> Option<T> {
    let probe = loop_.probe()?;
    probe.enter_here();
    // SAFETY: the gate is entered, and the borrow ends with this call, which runs no callback.
    let element = next(unsafe { &mut loop_.state_mut("uv_run").engine });
    probe.leave_here();
    element
}

/// Some programs, and the tests of libuv, change the counter in the struct directly.
fn host_references(loop_: Ptr<uv_loop_t>) -> usize {
    loop_.with(|loop_| loop_.active_handles) as usize
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_stop(loop_: Ptr<uv_loop_t>) {
    if !loop_.was_closed() {
        loop_.quick_engine("uv_stop", |engine| engine.stop());
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_alive(loop_: Ptr<uv_loop_t>) -> c_int {
    if loop_.was_closed() {
        return 0;
    }
    loop_.quick_engine("uv_loop_alive", |engine| {
        engine.set_host_references(host_references(loop_));
        c_int::from(engine.alive())
    })
}

/// The third argument is variadic in C; every option takes an `int` or nothing, and the calling
/// conventions of the supported platforms pass it in the same register either way.
#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_configure(loop_: Ptr<uv_loop_t>, option: c_int, value: c_int) -> c_int {
    const CALL: &str = "uv_loop_configure";
    match option {
        UV_METRICS_IDLE_TIME => {
            loop_.engine(CALL, |engine| engine.measure_idle_time());
            0
        }
        UV_LOOP_BLOCK_SIGNAL => {
            if let Err(error) = system::check_blocking(value) {
                return negative(error);
            }
            // libuv sets a flag, also of a loop that is zeros or closed. Initialisation clears it.
            if !loop_.was_closed() {
                loop_.engine(CALL, |engine| engine.driver().block_profiling_signal(true));
            }
            0
        }
        // Most file operations have faster paths, which need no kernel thread.
        UV_LOOP_USE_IO_URING_SQPOLL if system::ACCEPTS_IO_URING => {
            if !loop_.was_closed() {
                loop_.engine(CALL, |_| ());
                let value = std::env::var("UV_USE_IO_URING");
                if value.is_ok_and(|value| value.parse().is_ok_and(|number: i64| number > 0)) {
                    loop_.with(|loop_| loop_.flags |= fs::INTERRUPTIBLE);
                }
            }
            0
        }
        _ => negative(Errno::ENOSYS),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_fork(loop_: Ptr<uv_loop_t>) -> c_int {
    if !system::FORKS {
        return negative(Errno::ENOSYS);
    }
    let result = loop_.state("uv_loop_fork", |state| {
        let result = state.engine.reopen_after_fork();
        state.runs.abandon_other_threads(&mut state.engine);
        result
    });
    publish_backend_fd(loop_);
    code(result)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_backend_fd(loop_: Ptr<uv_loop_t>) -> c_int {
    if loop_.was_closed() {
        // Zero in a struct of zeros, as with libuv.
        return loop_.with(|loop_| loop_.backend_fd);
    }
    if loop_.probe().is_some_and(|probe| probe.other_runner().is_some()) {
        // The loop runs on another thread, which may be parked.
        return loop_.embed_from_other_thread();
    }
    loop_.engine("uv_backend_fd", |engine| system::backend_fd(engine.nested_descriptor()))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_backend_timeout(loop_: Ptr<uv_loop_t>) -> c_int {
    if loop_.was_closed() {
        return 0;
    }
    loop_.quick_engine("uv_backend_timeout", |engine| {
        engine.set_host_references(host_references(loop_));
        match engine.backend_timeout() {
            None => -1,
            Some(ms) => c_int::try_from(ms).unwrap_or(c_int::MAX),
        }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_now(loop_: Ptr<uv_loop_t>) -> u64 {
    if loop_.was_closed() {
        return loop_.with(|loop_| loop_.closed_time);
    }
    loop_.quick_engine("uv_now", |engine| engine.now())
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_update_time(loop_: Ptr<uv_loop_t>) {
    if loop_.was_closed() {
        return loop_.with(|loop_| loop_.closed_time = uv_hrtime() / 1_000_000);
    }
    loop_.engine("uv_update_time", |engine| engine.update_time());
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_walk(
    loop_: Ptr<uv_loop_t>,
    callback: uv_walk_cb,
    argument: *mut c_void,
) {
    abandon_reinitialised(loop_);
    // Visits the handles that exist now, except those that a callback has closed meanwhile.
    let mut handles = ManuallyDrop::new(loop_.engine("uv_walk", |engine| engine.handles(false)));
    for (id, token) in handles.iter().copied() {
        let exists = loop_.quick_engine("uv_walk", |engine| engine.status(id).is_some());
        if let Some(callback) = callback.filter(|_| exists) {
            // SAFETY: the token is the address of a handle that still exists, and the program
            // passed the function. No borrow of the loop is held.
            unsafe { callback(token.0 as usize as *mut uv_handle_t, argument) }
        }
    }
    // SAFETY: dropped once, and not used after this.
    unsafe { ManuallyDrop::drop(&mut handles) };
}

/// Removes handles whose structs were initialised again without being closed, because a program can
/// no longer close them. In libuv the new handle replaces the old one in the list.
fn abandon_reinitialised(loop_: Ptr<uv_loop_t>) {
    for (id, token) in loop_.engine("uv_walk", |engine| engine.handles(false)) {
        // SAFETY: the address of a handle that was not closed, so the struct is still valid.
        let handle = unsafe { Ptr::<uv_handle_t>::new(token.0 as usize as *mut uv_handle_t) };
        if handle.is_open() && handle.with(|handle| handle.id) != id.to_bits() {
            loop_.engine("uv_walk", |engine| engine.abandon(id));
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_size() -> usize {
    size_of::<uv_loop_t>()
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_get_data(loop_: Ptr<uv_loop_t>) -> *mut c_void {
    loop_.with(|loop_| loop_.data)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_loop_set_data(loop_: Ptr<uv_loop_t>, data: *mut c_void) {
    loop_.with(|loop_| loop_.data = data);
}
