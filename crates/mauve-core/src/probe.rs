//! The state of a loop that other threads and other processes may read.
//!
//! Every loop has a [`LoopProbe`]: whether a thread runs it, which one, and whether that thread is
//! waiting for events. Other threads of the process read it to detect misuse. The command
//! `mauve why` reads it from the memory of a running process.
//!
//! For `mauve why` the layout is a contract, see [`ProbeRoot`]. The probe costs the loop no system
//! call, descriptor, thread or signal handler. A process with the right to debug this one finds the
//! root in memory, increments `query`, and wakes the loop by its wake-up descriptor or its futex.
//! The loop notices a query that it has not reported on, writes a report (`why/report.rs`) and goes
//! back to sleep.
//!
//! Probes are reused and never freed, so a reference to the probe of a closed loop stays valid.

use std::ops::Deref;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use mauve_sys::AtomicStatic;
use mauve_sys::driver::Driver;
use mauve_sys::fork::PerProcess;
use mauve_sys::thread::{ThreadId, current_tid, tid_exists};
use mauve_sys::usdt::ROOT;
use mauve_sys::waker::Notify;

use crate::Engine;
use crate::gate::Gate;
use crate::id::Token;
use crate::trace::{CallbackKind, CallbackName};
use crate::why::{Describe, HostItems, Notes};

pub use mauve_sys::usdt::{MAGIC, ProbeRoot, VERSION};

/// The state of one loop for other threads and processes. All fields are numbers, so that another
/// process can read them.
#[repr(C)]
#[derive(Debug, Default)]
pub struct LoopProbe {
    /// The address of the next probe, or zero.
    pub next: AtomicU64,
    /// Whether there is a loop: one or zero.
    pub in_use: AtomicU64,
    /// The process that it belongs to: a forked child inherits the memory and not the loop.
    pub process: AtomicU64,
    /// The thread that runs it, as the kernel numbers it, or zero.
    pub thread: AtomicU64,
    /// Whether that thread waits for events: one or zero.
    pub asleep: AtomicU64,
    /// When it last stopped waiting, in milliseconds of the loop's clock.
    pub woke: AtomicU64,
    /// The address of the program's `uv_loop_t`, or zero for a loop that was not made in C.
    pub uv_loop: AtomicU64,
    /// One more than the descriptor that wakes it, or zero.
    pub waker: AtomicU64,
    /// The address of the [futex](mauve_sys::parker) that it sleeps on instead, if nothing is
    /// registered; or zero.
    pub futex: AtomicU64,
    /// The latest query that the loop has reported on.
    pub reported: AtomicU64,
    /// The address of the report.
    pub text: AtomicU64,
    /// The length of the report in bytes.
    pub length: AtomicU64,
    /// The number of the loop in traces.
    pub number: AtomicU64,
    /// When the current callback began, in nanoseconds of the loop's clock. Zero outside of a
    /// callback, and always zero without a watchdog and a trace.
    pub callback_since: AtomicU64,
    /// The [kind](CallbackKind) of the current callback.
    pub callback_kind: AtomicU64,
    /// The token of the current callback.
    pub callback_token: AtomicU64,
    /// The function of the current callback, or the number of its name, or zero.
    pub callback_function: AtomicU64,
    /// The thread of the current callback, as the kernel numbers it.
    pub callback_thread: AtomicU64,
    /// The location where the current callback was passed to the host, for Rust.
    pub callback_location: AtomicStatic<Location<'static>>,
    /// The [id](ThreadId) of the thread that runs the loop, or zero.
    runner: AtomicUsize,
    /// Serialises calls of other threads with that thread.
    gate: Gate,
}

/// All probes of this process, the newest last. A forked child does not use those of its parent
/// again: another thread may have held the lock when the process forked.
static PROBES: PerProcess<Mutex<Vec<&'static LoopProbe>>> = PerProcess::new();

/// The number of the latest query.
#[inline]
pub(crate) fn latest_query() -> u64 {
    ROOT.query.load(Ordering::Relaxed)
}

/// The probes of all loops of this process.
pub fn loops() -> Vec<&'static LoopProbe> {
    let probes = PROBES.get_or_init(Mutex::default);
    let probes = probes.lock().unwrap_or_else(PoisonError::into_inner);
    probes.iter().copied().filter(|probe| probe.in_use.load(Ordering::Acquire) != 0).collect()
}

/// Assigns a probe to a loop until it is dropped.
pub(crate) struct ProbeGuard(&'static LoopProbe);

/// The engine's part for the probe and for `mauve why`.
#[derive(Default)]
pub(crate) struct ProbeState {
    shared: ProbeGuard,
    /// The latest report for `mauve why`.
    report: String,
    host: HostReport,
}

/// What the host adds to reports.
#[derive(Default)]
pub(crate) struct HostReport {
    /// Describes a request of which the engine knows only the token.
    pub describe: Option<Describe>,
    /// Lists the host's own items.
    pub items: Option<HostItems>,
    /// Further lines.
    pub notes: Option<Notes>,
}

impl ProbeState {
    /// The probe, for other threads.
    pub fn shared(&self) -> &'static LoopProbe {
        *self.shared
    }

    /// The function that describes requests of which the engine knows only the token.
    pub fn describe(&self) -> Option<Describe> {
        self.host.describe
    }

    /// What the host adds to reports.
    pub fn host(&mut self) -> &mut HostReport {
        &mut self.host
    }

    /// Publishes a report, which replaces the last one.
    pub fn report(&mut self, text: String) {
        self.report = text;
        self.shared.publish_report(&self.report);
    }
}

impl Deref for ProbeState {
    type Target = LoopProbe;

    #[inline(always)]
    fn deref(&self) -> &LoopProbe {
        *self.shared
    }
}

impl Default for ProbeGuard {
    fn default() -> Self {
        Self::new()
    }
}

impl ProbeGuard {
    pub fn new() -> Self {
        // The address is known outside, so all fields have to stay where they are.
        std::hint::black_box(&ROOT);
        let probes = PROBES.get_or_init(Mutex::default);
        let mut probes = probes.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = probes.iter().find(|probe| probe.in_use.load(Ordering::Acquire) == 0);
        let probe = match idle {
            Some(probe) => *probe,
            None => {
                let probe: &'static LoopProbe = Box::leak(Box::default());
                probe.next.store(ROOT.first.load(Ordering::Acquire), Ordering::Release);
                ROOT.first.store(std::ptr::from_ref(probe) as u64, Ordering::Release);
                probes.push(probe);
                probe
            }
        };
        probe.thread.store(0, Ordering::Relaxed);
        probe.runner.store(0, Ordering::Relaxed);
        probe.asleep.store(0, Ordering::Relaxed);
        probe.uv_loop.store(0, Ordering::Relaxed);
        probe.length.store(0, Ordering::Relaxed);
        probe.callback_since.store(0, Ordering::Relaxed);
        probe.reported.store(latest_query(), Ordering::Relaxed);
        probe.process.store(std::process::id().into(), Ordering::Relaxed);
        probe.in_use.store(1, Ordering::Release);
        Self(probe)
    }
}

impl Drop for ProbeGuard {
    fn drop(&mut self) {
        self.0.length.store(0, Ordering::Relaxed);
        self.0.in_use.store(0, Ordering::Release);
    }
}

impl Deref for ProbeGuard {
    type Target = &'static LoopProbe;

    fn deref(&self) -> &&'static LoopProbe {
        &self.0
    }
}

impl LoopProbe {
    /// Whether the loop's thread is waiting for events.
    #[inline]
    pub fn is_asleep(&self) -> bool {
        self.asleep.load(Ordering::Relaxed) != 0
    }

    /// Begins to use the engine, on any thread. [`leave`](Self::leave) has to follow.
    #[inline(always)]
    pub fn enter(&self) {
        let runner = self.runner.load(Ordering::Relaxed);
        if runner != ThreadId::current().number() && runner != 0 {
            return self.enter_foreign();
        }
        self.enter_here();
    }

    /// Ends the use of `engine` that [`enter`](Self::enter) began.
    #[inline(always)]
    pub fn leave<D: Driver>(&self, engine: &mut Engine<D>) {
        if self.gate.is_lent() {
            return self.leave_foreign(engine);
        }
        self.leave_here();
    }

    /// Continues the use of `engine` that [`enter`](Self::enter) began, as that of the thread that runs the
    /// loop from now on. [`leave_here`](Self::leave_here) has to follow.
    #[inline(always)]
    pub fn stay<D: Driver>(&self, engine: &mut Engine<D>) {
        if self.gate.is_lent() {
            self.leave_foreign(engine);
            self.enter_here();
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_foreign<D: Driver>(&self, engine: &mut Engine<D>) {
        engine.end_foreign_call();
        self.gate.leave_foreign();
    }

    /// [`enter`](Self::enter) on the thread that runs the loop.
    #[inline(always)]
    pub fn enter_here(&self) {
        self.gate.enter(|thread| tid_exists(thread.into()));
    }

    /// Ends the use of the engine that [`enter_here`](Self::enter_here) began.
    #[inline(always)]
    pub fn leave_here(&self) {
        self.gate.leave();
    }

    #[cold]
    #[inline(never)]
    fn enter_foreign(&self) {
        let runs = || self.other_runner().is_some();
        if runs() {
            self.gate.enter_foreign(current_tid(), |thread| tid_exists(thread.into()), runs);
        } else {
            self.enter_here();
        }
    }

    /// Whether another process waits for a report of the loop.
    #[inline]
    pub fn is_queried(&self) -> bool {
        latest_query() != self.reported.load(Ordering::Relaxed)
    }

    /// Publishes the report that another process waits for. Called on the loop's thread, also in a
    /// callback. The text must not change until the next report.
    pub fn publish_report(&self, text: &str) {
        self.text.store(text.as_ptr() as u64, Ordering::Relaxed);
        self.length.store(text.len() as u64, Ordering::Relaxed);
        // Last, because the reader waits for the number of its query before it reads the text.
        self.reported.store(latest_query(), Ordering::Release);
    }

    /// The thread that runs the loop, unless it is the caller's.
    pub fn other_runner(&self) -> Option<u64> {
        let thread = self.thread.load(Ordering::Relaxed);
        let other = thread != 0 && thread != u64::from(current_tid());
        // A forked child has a copy of the memory, but not the thread. A thread that was cancelled
        // while it waited has not cleared its number.
        (other && !self.is_inherited() && tid_exists(thread)).then_some(thread)
    }

    /// Whether the loop was created before the process was forked.
    pub(crate) fn is_inherited(&self) -> bool {
        self.process.load(Ordering::Relaxed) != u64::from(std::process::id())
    }

    /// Whether the caller's thread runs the loop.
    pub fn is_run_here(&self) -> bool {
        self.thread.load(Ordering::Relaxed) == u64::from(current_tid())
    }

    /// Sets the address of the `uv_loop_t`, which `mauve why` prints.
    pub fn set_uv_loop(&self, address: u64) {
        self.uv_loop.store(address, Ordering::Relaxed);
    }

    /// Assigns the loop to this process, after a fork.
    pub(crate) fn assign_to_this_process(&self) {
        self.process.store(std::process::id().into(), Ordering::Relaxed);
        self.asleep.store(0, Ordering::Relaxed);
    }

    /// Sets how `mauve why` wakes the loop.
    pub(crate) fn set_waker(&self, waker: &dyn Notify) {
        let number = waker.raw_fd().map_or(0, |fd| fd as u64 + 1);
        self.waker.store(number, Ordering::Relaxed);
        let futex = waker.raw_futex().map_or(0, |futex| std::ptr::from_ref(futex) as u64);
        self.futex.store(futex, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn begin_run(&self, now: u64) {
        self.runner.store(ThreadId::current().number(), Ordering::Relaxed);
        self.thread.store(current_tid().into(), Ordering::Relaxed);
        self.woke.store(now, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn end_run(&self) {
        self.runner.store(0, Ordering::Relaxed);
        self.thread.store(0, Ordering::Relaxed);
    }

    /// When the current callback began, its kind, token and name. `None` outside of a callback, and
    /// without a watchdog and a trace.
    pub fn current_callback(&self) -> Option<(u64, CallbackKind, Token, CallbackName)> {
        let [since, kind, token, function] = self.callback();
        let name = match (self.callback_location.load(), function) {
            (Some(location), _) => CallbackName::Location(location),
            (None, 0) => CallbackName::Unknown,
            (None, number) if number >> 63 != 0 => CallbackName::Registered(number),
            (None, address) => CallbackName::Function(address),
        };
        let kind = CallbackKind::from_number(kind as u8)?;
        // The callback may have ended in between.
        let is_current = since != 0 && self.callback_since.load(Ordering::Acquire) == since;
        is_current.then_some((since, kind, Token(token), name))
    }

    /// The current callback: begin, kind, token and function.
    pub(crate) fn callback(&self) -> [u64; 4] {
        [&self.callback_since, &self.callback_kind, &self.callback_token, &self.callback_function]
            .map(|word| word.load(Ordering::Relaxed))
    }

    /// Publishes what [`callback`](Self::callback) has returned.
    pub(crate) fn restore_callback(&self, [since, kind, token, function]: [u64; 4]) {
        self.callback_kind.store(kind, Ordering::Relaxed);
        self.callback_token.store(token, Ordering::Relaxed);
        self.callback_function.store(function, Ordering::Relaxed);
        self.callback_since.store(since, Ordering::Release);
    }

    /// Publishes the current callback.
    pub(crate) fn begin_callback(
        &self,
        time: u64,
        kind: CallbackKind,
        token: Token,
        name: CallbackName,
    ) {
        let function = match name {
            CallbackName::Function(address) => address,
            CallbackName::Registered(number) => number,
            CallbackName::Location(_) | CallbackName::Unknown => 0,
        };
        let location = match name {
            CallbackName::Location(location) => Some(location),
            _ => None,
        };
        self.callback_location.store(location);
        self.callback_thread.store(current_tid().into(), Ordering::Relaxed);
        self.restore_callback([time, kind as u64, token.0, function]);
    }

    /// Ends the current callback.
    pub(crate) fn end_callback(&self) {
        self.callback_since.store(0, Ordering::Release);
    }

    #[inline]
    pub(crate) fn begin_wait(&self) {
        self.asleep.store(1, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn end_wait(&self, now: u64) {
        self.asleep.store(0, Ordering::Relaxed);
        self.woke.store(now, Ordering::Relaxed);
    }
}
