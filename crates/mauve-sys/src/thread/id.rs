//! Thread ids that need no system call and survive a fork.

/// Identifies a thread among the running threads of the process. In a forked child, the thread keeps
/// its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadId(usize);

impl ThreadId {
    /// The id of the calling thread.
    #[inline(always)]
    pub fn current() -> Self {
        Self(thread_pointer())
    }

    /// The id as a number, which is never zero.
    #[inline(always)]
    pub fn number(self) -> usize {
        self.0
    }
}

/// The thread pointer: every call of the C ABI compares it, and a thread-local variable of a shared
/// library costs a function call.
#[cfg(all(target_arch = "x86_64", any(target_os = "linux", target_os = "android")))]
#[inline(always)]
fn thread_pointer() -> usize {
    let pointer;
    // SAFETY: in the ABI of this platform the first word of the thread's control block is its own
    // address. It does not change while the thread exists.
    unsafe {
        std::arch::asm!(
            "mov {}, fs:[0]",
            out(reg) pointer,
            options(pure, readonly, nostack, preserves_flags)
        );
    }
    pointer
}

/// The address of a thread-local variable.
#[cfg(not(all(target_arch = "x86_64", any(target_os = "linux", target_os = "android"))))]
#[inline]
fn thread_pointer() -> usize {
    thread_local! {
        static ANCHOR: std::cell::Cell<u8> = const { std::cell::Cell::new(0) };
    }
    ANCHOR.with(|anchor| std::ptr::from_ref(anchor) as usize)
}

#[cfg(test)]
mod tests {
    use super::ThreadId;

    #[test]
    fn running_threads_have_different_ids() {
        let id = ThreadId::current();
        assert_eq!(id, ThreadId::current());
        assert_ne!(id.number(), 0);
        let other = std::thread::spawn(ThreadId::current).join().unwrap();
        assert_ne!(id, other);
    }
}
