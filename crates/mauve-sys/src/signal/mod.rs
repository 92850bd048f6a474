//! Delivery of signals to the loops that watch them.
//!
//! A loop that watches signals has a [`SignalPipe`]. The process has one signal handler, which
//! writes a message to the pipe of every loop that watches the signal. So signals are counted, keep
//! their order, and are received in the poll phase.
//!
//! * `pipe.rs`: the pipe of a loop.
//! * `writer.rs`: the write ends and the handler, which may run on any thread at any time.
//! * `disposition.rs`: the process's signal actions, which all loops share.

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        pub(crate) use windows::{deliver, mask};
        pub use windows::{PipeEnds, SignalPipe, block_all, numbers, reset_ignored};
    } else {
        mod disposition;
        pub(crate) mod mask;
        pub mod numbers;
        mod pipe;
        mod writer;
        pub use disposition::reset_ignored;
        pub(crate) use mask::AllBlocked;
        pub use mask::block_all;
        pub use pipe::{PipeEnds, SignalPipe};
    }
}

/// The highest signal number.
#[allow(dead_code)] // Only some platforms use it.
pub const MAX: i32 = 64;

/// How often a watcher receives its signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Delivery {
    /// Until the watcher is removed.
    Persistent,
    /// Once. If all watchers of a signal are one-shot, the default action is restored by the first
    /// delivery.
    OneShot,
}

/// A signal that was delivered to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalEvent {
    /// The signal number.
    pub signal: i32,
    /// How many watchers of this loop the signal had when it was delivered. Saturates at 65535.
    pub watchers: u16,
    /// The epoch in which it was delivered: see [`SignalPipe::watch`].
    epoch: u32,
}

impl SignalEvent {
    /// Whether it was delivered after the call of [`SignalPipe::watch`] that returned `epoch`.
    pub fn is_since(self, epoch: Epoch) -> bool {
        self.epoch.wrapping_sub(epoch.0).cast_signed() >= 0
    }
}

/// The time at which a watcher was added, as a counter of such changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch(u32);
