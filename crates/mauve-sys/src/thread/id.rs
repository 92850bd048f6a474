//! Thread ids that need no system call and survive a fork.

use std::cell::Cell;

/// Identifies a thread among the running threads of the process: the address of a thread-local
/// variable. In a forked child, the thread keeps its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadId(usize);

impl ThreadId {
    /// The id of the calling thread.
    #[inline]
    pub fn current() -> Self {
        thread_local! {
        static ANCHOR: Cell<u8> = const { Cell::new(0) };
        }
        ANCHOR.with(|anchor| Self(std::ptr::from_ref(anchor) as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::ThreadId;

    #[test]
    fn running_threads_have_different_ids() {
        let id = ThreadId::current();
        assert_eq!(id, ThreadId::current());
        let other = std::thread::spawn(ThreadId::current).join().unwrap();
        assert_ne!(id, other);
    }
}
