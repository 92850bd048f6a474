//! What others may see of a loop without touching it.
//!
//! Every loop has a [`Pulse`]: whether it is being run, by which thread, and whether that thread
//! is asleep. Another thread reads it to tell that it must keep its hands off; the command
//! `mauve why` reads it out of the memory of a running process.
//!
//! For the latter the layout is part of a contract, see [`Beacon`]. Nothing here costs the loop a
//! system call, a descriptor, a thread or a signal handler: a debugger that is allowed to look at
//! the process finds the beacon in its memory, writes a number to `question` and wakes the loop
//! through the loop's own descriptor, or by changing the futex that it sleeps on. The loop then sees a
//! question that it has not answered, puts its answer into memory (`why/answer.rs`) and goes back to sleep.
//!
//! Pulses are never freed, only used again: who still holds one of a loop that is gone finds
//! memory that is a pulse.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use mauve_sys::driver::Driver;
use mauve_sys::fork::PerProcess;
use mauve_sys::thread::{task_exists, task_id};

use crate::why::Describe;

/// How the beacon is recognised in the memory of a process.
pub const MAGIC: [u64; 4] =
    [0x6d61_7576_6520_6265, 0x6163_6f6e_f09f_94ae, 0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];

/// Of the layout of [`Beacon`] and [`Pulse`]. Whoever reads it must know this one.
pub const VERSION: u64 = 3;

/// The one place from which all loops of a process can be found.
#[repr(C)]
pub struct Beacon {
    /// [`MAGIC`].
    pub magic: [u64; 4],
    /// [`VERSION`].
    pub version: u64,
    /// The address of the first [`Pulse`], or zero.
    pub first: AtomicU64,
    /// Counts the questions. Written from outside only.
    pub question: AtomicU64,
}

/// One loop, as seen from outside. All numbers, so that they can be read from another process.
#[repr(C)]
#[derive(Debug, Default)]
pub struct Pulse {
    /// The address of the next pulse, or zero.
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
    /// What the program calls the loop: its address in C, zero elsewhere.
    pub name: AtomicU64,
    /// One more than the descriptor that wakes it, or zero.
    pub waker: AtomicU64,
    /// The address of the [futex](mauve_sys::parker) that it sleeps on instead, if nothing is
    /// registered; or zero.
    pub futex: AtomicU64,
    /// The last question that was answered.
    pub answered: AtomicU64,
    /// Where the answer is.
    pub text: AtomicU64,
    /// How many bytes it has.
    pub length: AtomicU64,
}

/// Kept in the library although nothing but `first` and `question` is ever read.
#[used]
static BEACON: Beacon = Beacon {
    magic: MAGIC,
    version: VERSION,
    first: AtomicU64::new(0),
    question: AtomicU64::new(0),
};

/// All pulses of this process, the newest last. A forked child does not use those of its parent
/// again: the lock may be held there for ever.
static PULSES: PerProcess<Mutex<Vec<&'static Pulse>>> = PerProcess::new();

/// The question that is to be answered.
pub(crate) fn question() -> u64 {
    BEACON.question.load(Ordering::Relaxed)
}

/// A pulse that belongs to a loop until this is dropped.
pub(crate) struct Beating(&'static Pulse);

/// What a loop shows to other threads and to `mauve why`.
#[derive(Default)]
pub(crate) struct Probe {
    pub pulse: Beating,
    /// The last answer to `mauve why`.
    pub answer: String,
    /// Describes requests of which the engine knows only the token.
    pub describe: Option<Describe>,
}

impl Default for Beating {
    fn default() -> Self {
        Self::begin()
    }
}

impl Beating {
    pub fn begin() -> Self {
        let pulses = PULSES.get_or_make(Mutex::default);
        let mut pulses = pulses.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = pulses.iter().find(|pulse| pulse.in_use.load(Ordering::Acquire) == 0);
        let pulse = match idle {
            Some(pulse) => *pulse,
            None => {
                let pulse: &'static Pulse = Box::leak(Box::default());
                pulse.next.store(BEACON.first.load(Ordering::Acquire), Ordering::Release);
                BEACON.first.store(std::ptr::from_ref(pulse) as u64, Ordering::Release);
                pulses.push(pulse);
                pulse
            }
        };
        pulse.thread.store(0, Ordering::Relaxed);
        pulse.asleep.store(0, Ordering::Relaxed);
        pulse.name.store(0, Ordering::Relaxed);
        pulse.length.store(0, Ordering::Relaxed);
        pulse.answered.store(question(), Ordering::Relaxed);
        pulse.process.store(std::process::id().into(), Ordering::Relaxed);
        pulse.in_use.store(1, Ordering::Release);
        Self(pulse)
    }
}

impl Drop for Beating {
    fn drop(&mut self) {
        self.0.length.store(0, Ordering::Relaxed);
        self.0.in_use.store(0, Ordering::Release);
    }
}

impl std::ops::Deref for Beating {
    type Target = &'static Pulse;

    fn deref(&self) -> &&'static Pulse {
        &self.0
    }
}

impl Pulse {
    /// Whether the loop's thread is waiting for events: nobody else may touch the loop then.
    #[inline(always)]
    pub fn is_asleep(&self) -> bool {
        self.asleep.load(Ordering::Relaxed) != 0
    }

    /// The thread that runs the loop, if it is another one than the caller's.
    pub fn other_runner(&self) -> Option<u64> {
        let thread = self.thread.load(Ordering::Relaxed);
        let other = thread != 0 && thread != u64::from(task_id());
        // A forked child has the memory, and not the thread. A thread that was cancelled in a wait
        // has left its number.
        (other && !self.is_inherited() && task_exists(thread)).then_some(thread)
    }

    /// Whether the loop belongs to another process: this one was forked from it.
    pub(crate) fn is_inherited(&self) -> bool {
        self.process.load(Ordering::Relaxed) != u64::from(std::process::id())
    }

    /// Whether it is the caller's thread that runs the loop.
    pub fn is_run_here(&self) -> bool {
        self.thread.load(Ordering::Relaxed) == u64::from(task_id())
    }

    /// Lets `mauve why` say what the program calls the loop.
    pub fn set_name(&self, name: u64) {
        self.name.store(name, Ordering::Relaxed);
    }

    /// The loop is now this process's.
    pub(crate) fn take_over(&self) {
        self.process.store(std::process::id().into(), Ordering::Relaxed);
        self.asleep.store(0, Ordering::Relaxed);
    }

    /// Lets `mauve why` know what the loop is woken by.
    pub(crate) fn set_waker(&self, driver: &impl Driver) {
        let number = driver.wake_descriptor().map_or(0, |fd| fd as u64 + 1);
        self.waker.store(number, Ordering::Relaxed);
        let futex = driver.wake_futex().map_or(0, |futex| std::ptr::from_ref(futex) as u64);
        self.futex.store(futex, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn begin_run(&self, now: u64) {
        self.thread.store(task_id().into(), Ordering::Relaxed);
        self.woke.store(now, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn end_run(&self) {
        self.thread.store(0, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn fall_asleep(&self) {
        self.asleep.store(1, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn wake_up(&self, now: u64) {
        self.asleep.store(0, Ordering::Relaxed);
        self.woke.store(now, Ordering::Relaxed);
    }
}
