//! Kernel thread ids (`gettid`), cached per thread.

use std::cell::Cell;

use super::system;
use crate::fork;

/// The kernel's id of the calling thread. Makes a system call once per thread and after a fork.
#[inline]
pub fn current_tid() -> u32 {
    thread_local! {
        /// The id, and the fork generation in which it was determined.
        static CACHED: Cell<(u32, u64)> = const { Cell::new((0, 0)) };
    }
    let generation = fork::generation();
    CACHED.with(|cached| {
        let (tid, cached_generation) = cached.get();
        if tid != 0 && cached_generation == generation {
            return tid;
        }
        let tid = system::own_id();
        cached.set((tid, generation));
        tid
    })
}

/// Whether this process has a thread with this id. True where the system cannot check that.
pub fn tid_exists(tid: u64) -> bool {
    system::exists(tid)
}

#[cfg(test)]
mod tests {
    use super::{current_tid, tid_exists};

    #[test]
    fn a_thread_exists_until_it_has_exited() {
        assert!(tid_exists(current_tid().into()));
        let other = std::thread::spawn(current_tid).join().expect("the thread exits");
        // A join may return shortly before the kernel removes the thread.
        let begin = std::time::Instant::now();
        while tid_exists(other.into()) && begin.elapsed().as_secs() < 60 {
            std::thread::yield_now();
        }
        assert!(!tid_exists(other.into()));
        assert!(!tid_exists(u64::MAX));
    }

    #[test]
    fn every_thread_has_its_own_id() {
        let own = current_tid();
        assert_eq!(own, current_tid());
        let other = std::thread::spawn(current_tid).join().expect("the thread exits");
        assert_ne!(own, other);
    }
}
