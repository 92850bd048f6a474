//! The kernel's number of a thread, without a system call for each question.

use std::cell::Cell;

use rustix::thread::gettid;

use crate::fork;

/// What the kernel calls the calling thread. Asked once for each thread, and again after a fork.
#[inline]
pub fn task_id() -> u32 {
    thread_local! {
        /// The number, and how many forks ago it was asked for.
        static KNOWN: Cell<(u32, u64)> = const { Cell::new((0, 0)) };
    }
    let forks = fork::generation();
    KNOWN.with(|known| {
        let (number, asked) = known.get();
        if number != 0 && asked == forks {
            return number;
        }
        let number = gettid().as_raw_nonzero().get().cast_unsigned();
        known.set((number, forks));
        number
    })
}

/// Whether this process has a thread with this number.
pub fn task_exists(number: u64) -> bool {
    let Ok(number) = libc::pid_t::try_from(number) else { return false };
    // SAFETY: takes three numbers. The null signal only checks that there is a receiver.
    unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), number, 0) == 0 }
}

#[cfg(test)]
mod tests {
    use super::{task_exists, task_id};

    #[test]
    fn a_thread_exists_until_it_has_ended() {
        assert!(task_exists(task_id().into()));
        let other = std::thread::spawn(task_id).join().expect("the thread has ended");
        assert!(!task_exists(other.into()));
        assert!(!task_exists(u64::MAX));
    }

    #[test]
    fn every_thread_has_a_number_of_its_own_and_keeps_it() {
        let mine = task_id();
        assert_eq!(mine, task_id());
        let other = std::thread::spawn(task_id).join().expect("the thread has ended");
        assert_ne!(mine, other);
    }
}
