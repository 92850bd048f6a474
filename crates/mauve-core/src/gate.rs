//! Lets other threads call into a loop while its own thread runs it.
//!
//! libuv documents its functions as not thread-safe. Yet programs call them from other threads, under a
//! lock that the loop's thread releases while it waits, as Python's interpreter lock. The gate makes
//! this safe: it is a lock that is biased to the loop's thread.
//!
//! # Protocol
//!
//! * The loop's thread sets `inside` while it uses the engine, and clears it before each callback and
//!   each wait. A wait thereby gives the engine up.
//! * A call of another thread, a *foreign* call, sets `foreign` to the number of its thread. Then it
//!   waits until `inside` is clear, sets `lent`, uses the engine, and clears `lent` and `foreign`.
//! * So whoever uses the engine finds out from `lent` at the end of a call which of both it is.
//! * The loop's thread reads `foreign` after it has set `inside`. If a foreign call is there, it clears
//!   `inside` again and waits for the end of that call.
//!
//! Each side writes its own field before it reads the other one, with a fence in between. So at least
//! one of them sees the other, and the loop's thread is the one that yields. The fence of the loop's
//! thread costs nothing, and that of a foreign call some microseconds ([`mauve_sys::fence`]).
//!
//! A thread that was cancelled, or that a forked child does not have, is not waited for.

use crate::sync::{AtomicU32, Ordering, full_fence, heavy_fence, light_fence, pause};

/// The lock of one engine. See the [module](self).
#[derive(Debug, Default)]
#[repr(C)]
pub struct Gate {
    /// Whether the loop's thread uses the engine: one or zero.
    inside: AtomicU32,
    /// The number of the thread whose foreign call uses the engine or is about to, or zero.
    foreign: AtomicU32,
    /// The number of the thread whose foreign call uses the engine, or zero.
    lent: AtomicU32,
}

impl Gate {
    /// The loop's thread begins to use the engine. `exists` returns whether the thread with that number
    /// exists.
    #[inline(always)]
    pub(crate) fn enter(&self, exists: impl Fn(u32) -> bool) {
        self.inside.store(1, Ordering::Relaxed);
        light_fence();
        if self.foreign.load(Ordering::Acquire) != 0 {
            self.enter_after_foreign_call(exists);
        }
    }

    /// The loop's thread ends to use the engine.
    #[inline(always)]
    pub(crate) fn leave(&self) {
        self.inside.store(0, Ordering::Release);
    }

    #[cold]
    #[inline(never)]
    fn enter_after_foreign_call(&self, exists: impl Fn(u32) -> bool) {
        let mut attempts = 0;
        loop {
            self.leave();
            self.wait_for_foreign_call(&mut attempts, &exists);
            self.inside.store(1, Ordering::Relaxed);
            full_fence();
            if self.foreign.load(Ordering::Acquire) == 0 {
                return;
            }
        }
    }

    fn wait_for_foreign_call(&self, attempts: &mut u32, exists: &impl Fn(u32) -> bool) {
        loop {
            let thread = self.foreign.load(Ordering::Acquire);
            if thread == 0 {
                return;
            }
            if pause(attempts) && !exists(thread) {
                let (old, new) = (Ordering::AcqRel, Ordering::Relaxed);
                let _ = self.lent.compare_exchange(thread, 0, old, new);
                let _ = self.foreign.compare_exchange(thread, 0, old, new);
            }
        }
    }

    /// A foreign call on `thread` begins to use the engine. `runs` returns whether the loop's thread
    /// exists, and `exists` whether another one does.
    pub(crate) fn enter_foreign(
        &self,
        thread: u32,
        exists: impl Fn(u32) -> bool,
        runs: impl Fn() -> bool,
    ) {
        let mut attempts = 0;
        loop {
            let (old, new) = (Ordering::AcqRel, Ordering::Relaxed);
            if self.foreign.compare_exchange(0, thread, old, new).is_ok() {
                break;
            }
            self.wait_for_foreign_call(&mut attempts, &exists);
        }
        heavy_fence();
        while self.inside.load(Ordering::Acquire) != 0 {
            if pause(&mut attempts) && !runs() {
                break;
            }
        }
        self.lent.store(thread, Ordering::Relaxed);
    }

    /// Whether a foreign call uses the engine. For the one who uses it: then the call is its own.
    #[inline(always)]
    pub(crate) fn is_lent(&self) -> bool {
        self.lent.load(Ordering::Relaxed) != 0
    }

    /// A foreign call ends to use the engine.
    pub(crate) fn leave_foreign(&self) {
        self.lent.store(0, Ordering::Relaxed);
        self.foreign.store(0, Ordering::Release);
    }
}

#[cfg(all(test, loom))]
mod model {
    //! The protocol of the gate, in all interleavings.

    use loom::{model, thread};

    use super::*;
    use crate::sync::Arc;

    #[derive(Default)]
    struct Loop {
        gate: Gate,
        /// The engine. It is read and written without synchronisation, so that calls are lost if two
        /// threads use it at once, or one does not see what the other one did before.
        calls: AtomicU32,
    }

    fn own_call(state: &Loop) {
        state.gate.enter(|_| true);
        count(state);
        assert!(!state.gate.is_lent());
        state.gate.leave();
    }

    fn foreign_call(state: &Loop, thread: u32) {
        state.gate.enter_foreign(thread, |_| true, || true);
        count(state);
        assert!(state.gate.is_lent());
        state.gate.leave_foreign();
    }

    fn count(state: &Loop) {
        let calls = state.calls.load(Ordering::Relaxed);
        state.calls.store(calls + 1, Ordering::Relaxed);
    }

    fn calls(state: &Loop) -> u32 {
        state.calls.load(Ordering::Relaxed)
    }

    #[test]
    fn the_loop_and_a_foreign_call_never_use_the_engine_at_once() {
        model(|| {
            let state = Arc::new(Loop::default());
            let other = state.clone();
            let thread = thread::spawn(move || foreign_call(&other, 1));
            // Two phases, with a wait or a callback in between.
            own_call(&state);
            own_call(&state);
            thread.join().unwrap();
            own_call(&state);
            assert_eq!(calls(&state), 4);
        });
    }

    #[test]
    fn foreign_calls_of_two_threads_never_use_the_engine_at_once() {
        model(|| {
            let state = Arc::new(Loop::default());
            let other = state.clone();
            let thread = thread::spawn(move || foreign_call(&other, 1));
            foreign_call(&state, 2);
            thread.join().unwrap();
            assert_eq!(calls(&state), 2);
        });
    }
}
