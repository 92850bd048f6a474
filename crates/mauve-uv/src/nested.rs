//! `uv_run` inside a callback of the same loop, and callbacks that never return.
//!
//! libuv tolerates both, although the first is documented as an error. The library is not notified
//! when a callback leaves `uv_run` by `longjmp` or an exception, so a later call must detect which
//! earlier calls still exist. Stacks grow downwards: a call whose frame is not above that of a
//! later call on the same stack has ended. So has a call on another thread: a loop is used by one
//! thread at a time, and a forked child has only the thread that forked. Coroutines have their own stacks, and may
//! return to any call that has not ended.

use std::num::NonZeroUsize;

use mauve_core::Engine;
use mauve_sys::driver::Platform;
use mauve_sys::thread::{self, ThreadId};

/// Frames of coroutines that are closer than this are on one stack.
const CLOSE: usize = 16 << 10;

/// The address of the stack frame of a call of `uv_run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Frame(NonZeroUsize);

impl Frame {
    /// The frame of the local variable `local`.
    #[inline(always)]
    pub fn of<T>(local: &T) -> Self {
        Self(std::ptr::NonNull::from(local).addr())
    }

    /// Whether the call with this frame has ended, because a call with the frame `later` has begun.
    fn has_ended(self, later: Self) -> bool {
        let (own, later) = (self.0.get(), later.0.get());
        let Some(distance) = later.checked_sub(own) else { return false };
        let Some(stack) = thread::own_stack() else { return true };
        match (stack.contains(&own), stack.contains(&later)) {
            (true, true) => true,
            (false, false) => distance < CLOSE,
            _ => false,
        }
    }
}

/// The active calls of `uv_run` for one loop.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    innermost: Option<Frame>,
    /// The suspended outer calls, outermost first.
    outer: Vec<Frame>,
    /// The thread of these calls.
    thread: Option<ThreadId>,
}

impl Runs {
    pub fn is_empty(&self) -> bool {
        self.innermost.is_none()
    }

    /// Whether the call with this frame is the innermost one.
    #[inline(always)]
    pub fn is_innermost(&self, frame: Frame) -> bool {
        // One comparison, while that of options is two.
        self.innermost.map_or(0, |innermost| innermost.0.get()) == frame.0.get()
    }

    /// Records a call that starts.
    #[inline(always)]
    pub fn enter(&mut self, frame: Frame, engine: &mut Engine<Platform>) {
        if self.innermost.is_some() {
            self.suspend_outer(frame, engine);
        }
        self.thread = Some(ThreadId::current());
        self.innermost = Some(frame);
    }

    /// Abandons calls that were left without returning, and suspends the innermost remaining one.
    #[cold]
    fn suspend_outer(&mut self, frame: Frame, engine: &mut Engine<Platform>) {
        self.abandon_other_threads(engine);
        while self.innermost.is_some_and(|innermost| innermost.has_ended(frame)) {
            self.abandon_innermost(engine);
        }
        if let Some(innermost) = self.innermost {
            engine.suspend_run();
            self.outer.push(innermost);
        }
    }

    /// Abandons calls of another thread, which does not exist in a forked child.
    pub fn abandon_other_threads(&mut self, engine: &mut Engine<Platform>) {
        if self.thread != Some(ThreadId::current()) {
            while !self.is_empty() {
                self.abandon_innermost(engine);
            }
        }
    }

    /// Removes the innermost call, which returns, and resumes the outer one.
    #[inline(always)]
    pub fn exit(&mut self, engine: &mut Engine<Platform>) {
        self.innermost = self.outer.pop();
        if self.innermost.is_some() {
            engine.resume_run();
        }
    }

    /// Makes the call with this frame the innermost one. Calls inside it on its stack were left without returning,
    /// and are abandoned. Others are suspended: a coroutine may return to them. Returns whether the call
    /// itself is recorded.
    #[cold]
    pub fn return_to(&mut self, frame: Frame, engine: &mut Engine<Platform>) -> bool {
        if !self.outer.contains(&frame) {
            return false;
        }
        while let Some(innermost) = self.innermost
            && innermost != frame
        {
            if innermost.has_ended(frame) {
                self.abandon_innermost(engine);
                continue;
            }
            engine.suspend_run();
            self.outer.push(innermost);
            if let Some(at) = self.outer.iter().position(|outer| *outer == frame) {
                self.outer[at..].rotate_left(1);
                engine.resume_run_at(at);
            }
            self.innermost = self.outer.pop();
        }
        true
    }

    fn abandon_innermost(&mut self, engine: &mut Engine<Platform>) {
        engine.abandon_run();
        self.exit(engine);
    }
}
