//! loom's models of it.

pub(crate) use loom::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard,
        atomic::{AtomicU32, Ordering},
    },
    thread::{JoinHandle, yield_now},
};

/// Starts a thread. A model has neither names nor stacks.
pub(crate) fn spawn(
    _name: &str,
    _stack_size: usize,
    run: impl FnOnce() + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    Ok(loom::thread::spawn(run))
}
