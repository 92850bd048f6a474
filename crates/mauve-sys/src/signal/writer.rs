//! The write ends of all signal pipes, and the handler that writes to them.
//!
//! Writers form a linked list that only grows, so the handler traverses it without a lock. The writer
//! of a closed pipe is free, and the next pipe reuses it.
//!
//! # Protocol
//!
//! The handler increments `busy` of a writer, loads its watchers and its descriptor, writes, and
//! decrements `busy`. To close the descriptor, its owner first removes it from the writer and then
//! waits until `busy` is zero. So the handler never writes to a descriptor that is closed or reused.
//!
//! # Fork
//!
//! A child inherits the pipe, and its handler writes to it. So a daemon that forks and continues its
//! loop receives signals without `uv_loop_fork`. As with libuv, parent and child share the pipe until
//! the child calls `uv_loop_fork`. Threads that were in the handler do not exist in the child, so
//! `busy` is reset to zero there ([`reset_after_fork`]).

use std::ffi::c_int;
use std::os::fd::{FromRawFd, IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};

use super::{MAX, SignalEvent};
use crate::{Errno, errno};

/// The size of a message: the signal, its number of watchers, and the epoch.
pub(super) const MESSAGE: usize = 8;

fn encode(event: SignalEvent) -> [u8; MESSAGE] {
    let [s0, s1] = (event.signal as u16).to_ne_bytes();
    let [w0, w1] = event.watchers.to_ne_bytes();
    let [e0, e1, e2, e3] = event.epoch.to_ne_bytes();
    [s0, s1, w0, w1, e0, e1, e2, e3]
}

pub(super) fn decode(message: [u8; MESSAGE]) -> SignalEvent {
    let [s0, s1, w0, w1, e0, e1, e2, e3] = message;
    SignalEvent {
        signal: u16::from_ne_bytes([s0, s1]).into(),
        watchers: u16::from_ne_bytes([w0, w1]),
        epoch: u32::from_ne_bytes([e0, e1, e2, e3]),
    }
}

const NONE: i32 = -1;

static FIRST: AtomicPtr<SignalPipeWriter> = AtomicPtr::new(std::ptr::null_mut());

/// The write end of one signal pipe.
pub(super) struct SignalPipeWriter {
    next: AtomicPtr<SignalPipeWriter>,
    occupied: AtomicBool,
    descriptor: AtomicI32,
    /// How many handlers may be writing.
    busy: AtomicU32,
    /// The number of watchers of each signal.
    watchers: [AtomicU32; MAX as usize],
    /// The set of signals with a persistent watcher; bit 0 is signal 1.
    persistent: AtomicU64,
    epoch: AtomicU32,
}

impl SignalPipeWriter {
    /// Returns a writer for a new pipe: a free one, or a new one.
    pub fn acquire(descriptor: OwnedFd) -> &'static Self {
        let free = |writer: &&Self| !writer.occupied.swap(true, Ordering::AcqRel);
        let writer = all().find(free).unwrap_or_else(Self::add);
        writer.install(descriptor);
        writer
    }

    fn add() -> &'static Self {
        let writer: &'static Self = Box::leak(Box::new(Self {
            next: AtomicPtr::new(std::ptr::null_mut()),
            occupied: AtomicBool::new(true),
            descriptor: AtomicI32::new(NONE),
            busy: AtomicU32::new(0),
            watchers: [const { AtomicU32::new(0) }; MAX as usize],
            persistent: AtomicU64::new(0),
            epoch: AtomicU32::new(0),
        }));
        let pointer = std::ptr::from_ref(writer).cast_mut();
        let mut first = FIRST.load(Ordering::Relaxed);
        loop {
            writer.next.store(first, Ordering::Relaxed);
            match FIRST.compare_exchange(first, pointer, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return writer,
                Err(now) => first = now,
            }
        }
    }

    /// Sets the descriptor. The writer has none before.
    pub fn install(&self, descriptor: OwnedFd) {
        self.descriptor.store(descriptor.into_raw_fd(), Ordering::SeqCst);
    }

    /// Frees the writer. It has no watchers any more.
    pub fn release(&self) {
        self.close();
        self.occupied.store(false, Ordering::Release);
    }

    /// Closes the descriptor. No handler writes to it afterwards.
    pub fn close(&self) {
        let descriptor = self.descriptor.swap(NONE, Ordering::SeqCst);
        while self.busy.load(Ordering::SeqCst) != 0 {
            std::thread::yield_now();
        }
        if descriptor != NONE {
            // SAFETY: `install` has stored an owned descriptor, and the swap makes this call its
            // only owner. No handler uses it any more.
            drop(unsafe { OwnedFd::from_raw_fd(descriptor) });
        }
    }

    /// Begins a new epoch. All later messages have this epoch or a later one.
    pub fn begin_epoch(&self) -> u32 {
        self.epoch.fetch_add(1, Ordering::SeqCst).wrapping_add(1)
    }

    /// Sets how many watchers a signal has here, and whether one of them is persistent.
    pub fn set_watchers(&self, signal: i32, watchers: u32, persistent: bool) {
        self.watchers_of(signal).store(watchers, Ordering::SeqCst);
        if persistent {
            self.persistent.fetch_or(bit(signal), Ordering::SeqCst);
        } else {
            self.persistent.fetch_and(!bit(signal), Ordering::SeqCst);
        }
    }

    fn watchers_of(&self, signal: i32) -> &AtomicU32 {
        &self.watchers[signal as usize - 1]
    }

    fn write(&self, signal: i32) {
        self.busy.fetch_add(1, Ordering::SeqCst);
        let watchers = self.watchers_of(signal).load(Ordering::SeqCst);
        let descriptor = self.descriptor.load(Ordering::SeqCst);
        if watchers != 0 && descriptor != NONE {
            let watchers = watchers.min(u16::MAX.into()) as u16;
            let epoch = self.epoch.load(Ordering::SeqCst);
            let message = encode(SignalEvent { signal, watchers, epoch });
            // A message is shorter than PIPE_BUF, so the write is atomic. If the pipe is full, with
            // thousands of messages, this one is lost.
            let write = || {
                // SAFETY: the buffer has the size that is passed. The descriptor is open while `busy`
                // is not zero.
                unsafe { libc::write(descriptor, message.as_ptr().cast(), MESSAGE) }
            };
            while write() == -1 && Errno::last() == Errno::EINTR {}
        }
        self.busy.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The signal handler of the process. It is async-signal-safe: it uses atomics, calls `write` and
/// preserves `errno`.
pub(super) extern "C" fn handle(signal: c_int) {
    // SAFETY: takes no arguments, and returns the address of the thread's errno.
    let errno = unsafe { errno::location() };
    // SAFETY: the address is valid for as long as the thread exists.
    let before = unsafe { *errno };
    all().for_each(|writer| writer.write(signal));
    // SAFETY: the address is valid for as long as the thread exists.
    unsafe { *errno = before };
}

/// Called in a forked child before other code: no thread is in the handler there.
pub(super) fn reset_after_fork() {
    all().for_each(|writer| writer.busy.store(0, Ordering::SeqCst));
}

/// Whether any loop watches the signal, and whether one of the watchers is persistent.
pub(super) fn watched(signal: i32) -> (bool, bool) {
    all().fold((false, false), |(watched, persistent), writer| {
        let is_watched = writer.watchers_of(signal).load(Ordering::SeqCst) != 0;
        let is_persistent = writer.persistent.load(Ordering::SeqCst) & bit(signal) != 0;
        (watched || is_watched, persistent || is_persistent)
    })
}

fn all() -> impl Iterator<Item = &'static SignalPipeWriter> {
    let mut next = FIRST.load(Ordering::Acquire);
    std::iter::from_fn(move || {
        // SAFETY: null or a writer, which is never freed.
        let writer = unsafe { next.as_ref() }?;
        next = writer.next.load(Ordering::Acquire);
        Some(writer)
    })
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}
