//! Signal masks of threads, which Windows does not have.

/// A set of signals to block. There is no value of this type.
#[derive(Clone, Copy)]
pub(crate) enum SignalMask {}

/// Does nothing: no signal interrupts a thread.
pub fn block_all() {}

/// There is no `SIGPROF`.
pub(crate) fn profiling() -> Option<SignalMask> {
    None
}
