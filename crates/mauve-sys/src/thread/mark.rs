//! Which thread it is, without a system call, and also after a fork.

use std::cell::Cell;

/// Identifies a thread among those that exist. The thread that forks has the same mark in the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadMark(usize);

impl ThreadMark {
    /// The mark of the calling thread.
    #[inline]
    pub fn current() -> Self {
        thread_local! {
            static HERE: Cell<u8> = const { Cell::new(0) };
        }
        HERE.with(|here| Self(std::ptr::from_ref(here) as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::ThreadMark;

    #[test]
    fn threads_that_exist_at_the_same_time_have_different_marks() {
        let mark = ThreadMark::current();
        assert_eq!(mark, ThreadMark::current());
        let other = std::thread::spawn(ThreadMark::current).join().unwrap();
        assert_ne!(mark, other);
    }
}
