//! Memory barriers of which one side costs nothing.
//!
//! Two threads that each write one thing and then read the other's need a full barrier in between
//! on both sides, or both may miss what the other wrote. If one side is busy and the other is not,
//! the latter can do it for both: it asks the system to have every running thread of the process
//! pass a barrier ([`heavy`]), and the busy side has nothing left to do but to keep the compiler
//! from changing the order ([`light`]).

use std::sync::atomic::{AtomicBool, Ordering, compiler_fence, fence};
use std::time::Duration;

use crate::Errno;

const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

/// For every store buffer to be empty, many times over.
const LONG_FOR_A_PROCESSOR: Duration = Duration::from_micros(100);

static OFFERED: AtomicBool = AtomicBool::new(false);

/// Asks the system for its part. Quick as long as the process has one thread; with more, the system
/// may take milliseconds. Until this has succeeded, nobody may rely on [`light`].
pub fn offer() {
    OFFERED.store(membarrier(REGISTER_PRIVATE_EXPEDITED).is_ok(), Ordering::Relaxed);
}

/// Whether [`light`] can be relied on from now on.
#[inline(always)]
pub fn is_offered() -> bool {
    OFFERED.load(Ordering::Relaxed)
}

/// The side that is free of charge. Safe in a signal handler.
#[inline(always)]
pub fn light() {
    compiler_fence(Ordering::SeqCst);
}

/// The side that pays for both.
#[cold]
pub fn heavy() {
    fence(Ordering::SeqCst);
    let done = membarrier(PRIVATE_EXPEDITED).or_else(|_| {
        // A process that has forgotten its registration, as after a fork on some systems.
        membarrier(REGISTER_PRIVATE_EXPEDITED).and_then(|()| membarrier(PRIVATE_EXPEDITED))
    });
    if done.is_err() {
        // Forbidden since. Nobody relies on it from now on, and what was written before is with
        // the other processors when a time has passed that is long for them.
        OFFERED.store(false, Ordering::SeqCst);
        std::thread::sleep(LONG_FOR_A_PROCESSOR);
    }
    fence(Ordering::SeqCst);
}

fn membarrier(command: libc::c_int) -> crate::Result<()> {
    // SAFETY: takes three numbers and touches no memory.
    let result = unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) };
    if result == 0 { Ok(()) } else { Err(Errno::last()) }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn of_two_that_write_and_then_look_one_sees_the_other() {
        offer();
        if !is_offered() {
            return heavy(); // The system has none. It must be possible to go on all the same.
        }
        const ROUNDS: usize = 2000;
        let cells: Vec<_> = (0..ROUNDS).map(|_| [const { AtomicU32::new(0) }; 2]).collect();
        let start = Barrier::new(2);
        let look = |own: usize, barrier: fn()| -> Vec<u32> {
            let turn = |pair: &[AtomicU32; 2]| {
                start.wait();
                pair[own].store(1, Ordering::Relaxed);
                barrier();
                pair[1 - own].load(Ordering::Relaxed)
            };
            cells.iter().map(turn).collect()
        };
        let (busy, patient) = std::thread::scope(|scope| {
            let busy = scope.spawn(|| look(0, light));
            let patient = look(1, heavy);
            (busy.join().expect("the thread has ended"), patient)
        });
        assert!(busy.iter().zip(&patient).all(|(busy, patient)| busy + patient > 0));
    }
}
