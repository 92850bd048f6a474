//! A lock for the state of the process.
//!
//! Unlike `std::sync::Mutex`, a forked child takes it over if a thread of its parent has held it, and a thread
//! that holds it is not blocked by itself: the loader and the allocator may call `dlopen`.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

pub struct Lock<T> {
    /// The process and the thread that hold it; 0 if none does.
    holder: AtomicU64,
    value: UnsafeCell<T>,
}

// SAFETY: `with` lets one thread use the value at a time.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    pub const fn new(value: T) -> Self {
        Self { holder: AtomicU64::new(0), value: UnsafeCell::new(value) }
    }

    /// Calls `use_value` while no other thread does, unless this thread does already. In a child whose
    /// parent was using the value at the fork, the value is `initial`.
    pub fn with(&self, initial: impl FnOnce() -> T, use_value: impl FnOnce(&mut T)) {
        // SAFETY: the calls have no preconditions.
        let (process, thread) =
            unsafe { (libc::getpid() as u32, libc::syscall(libc::SYS_gettid) as u32) };
        let own = u64::from(process) << 32 | u64::from(thread);
        let is_taken_over = loop {
            let take = |from| {
                self.holder.compare_exchange(from, own, Ordering::Acquire, Ordering::Relaxed)
            };
            match take(0) {
                Ok(_) => break false,
                Err(holder) if holder == own => return,
                Err(holder) if holder >> 32 != u64::from(process) => {
                    if take(holder).is_ok() {
                        break true;
                    }
                }
                // SAFETY: the call has no preconditions.
                Err(_) => drop(unsafe { libc::sched_yield() }),
            }
        };
        if is_taken_over {
            // SAFETY: this thread holds the lock. The old value may be incomplete, and is not dropped.
            unsafe { self.value.get().write(initial()) };
        }
        // SAFETY: this thread holds the lock, and returns above if it uses the value already.
        use_value(unsafe { &mut *self.value.get() });
        self.holder.store(0, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_uses_the_value_at_a_time() {
        static LOCK: Lock<u32> = Lock::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1000).for_each(|_| LOCK.with(|| 0, |value| *value += 1)));
            }
        });
        LOCK.with(|| 0, |value| assert_eq!(*value, 4000));
    }

    #[test]
    fn a_thread_is_not_blocked_by_itself() {
        static LOCK: Lock<u32> = Lock::new(0);
        LOCK.with(|| 0, |_| LOCK.with(|| 0, |_| panic!("the value is in use")));
    }

    #[test]
    fn a_child_takes_the_lock_over_from_a_thread_of_its_parent() {
        let lock = Lock::new(7);
        lock.holder.store(u64::from(std::process::id() + 1) << 32 | 1, Ordering::Relaxed);
        lock.with(|| 1, |value| assert_eq!(*value, 1, "the value of the parent may be incomplete"));
        lock.with(|| 2, |value| assert_eq!(*value, 1));
    }
}
