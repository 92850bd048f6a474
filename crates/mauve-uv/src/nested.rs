//! `uv_run` inside a callback of the same loop, and callbacks that never return.
//!
//! libuv tolerates both, although the first is documented as an error. A callback that leaves
//! `uv_run` by `longjmp` or an exception leaves no trace, so a later call has to find out whether
//! an earlier one still exists. Stacks grow downwards: a call whose frame is not above that of a
//! call made later has ended. So has one on another thread: a loop belongs to one thread at a time,
//! and a forked child has only the thread that forked.

use mauve_core::Engine;
use mauve_sys::driver::Platform;
use mauve_sys::thread::ThreadId;

/// Where the frame of a call of `uv_run` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Frame(usize);

impl Frame {
    /// The frame that `local` is in.
    #[inline(always)]
    pub fn of<T>(local: &T) -> Self {
        Self(std::ptr::from_ref(local) as usize)
    }
}

/// The calls of `uv_run` that are going on for one loop.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    innermost: Option<Frame>,
    /// The calls around it, the outermost first.
    outer: Vec<Frame>,
    /// The thread that they are on.
    thread: Option<ThreadId>,
}

impl Runs {
    pub fn is_empty(&self) -> bool {
        self.innermost.is_none()
    }

    /// Whether the call with this frame is the innermost one.
    #[inline(always)]
    pub fn are_at(&self, frame: Frame) -> bool {
        self.innermost == Some(frame)
    }

    /// Notes a call that begins.
    #[inline(always)]
    pub fn enter(&mut self, frame: Frame, engine: &mut Engine<Platform>) {
        if self.innermost.is_some() {
            self.nest(frame, engine);
        }
        self.thread = Some(ThreadId::current());
        self.innermost = Some(frame);
    }

    /// Ends calls that were left without returning, and suspends the one that was not.
    #[cold]
    fn nest(&mut self, frame: Frame, engine: &mut Engine<Platform>) {
        self.end_elsewhere(engine);
        while self.innermost.is_some_and(|innermost| innermost <= frame) {
            self.abandon(engine);
        }
        if let Some(innermost) = self.innermost {
            engine.suspend_run();
            self.outer.push(innermost);
        }
    }

    /// Ends calls on another thread, which does not exist in a forked child.
    pub fn end_elsewhere(&mut self, engine: &mut Engine<Platform>) {
        if self.thread != Some(ThreadId::current()) {
            while !self.is_empty() {
                self.abandon(engine);
            }
        }
    }

    /// Ends the innermost call, whose run is over.
    #[inline(always)]
    pub fn leave(&mut self, engine: &mut Engine<Platform>) {
        self.innermost = self.outer.pop();
        if self.innermost.is_some() {
            engine.resume_run();
        }
    }

    /// Ends the calls inside the one with this frame, which were left without returning. Returns
    /// whether the call itself is known.
    #[cold]
    pub fn return_to(&mut self, frame: Frame, engine: &mut Engine<Platform>) -> bool {
        if !self.outer.contains(&frame) {
            return false;
        }
        while !self.are_at(frame) {
            self.abandon(engine);
        }
        true
    }

    fn abandon(&mut self, engine: &mut Engine<Platform>) {
        engine.abandon_run();
        self.leave(engine);
    }
}
