//! The kinds of callback in a trace: those of the engine's completions, and those that hosts report for
//! what runs inside a callback.

use crate::completion::{Completion, WorkCompletion};
use crate::run::HookBatch;

macro_rules! callback_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// What a callback is for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum CallbackKind {
            $($(#[$doc])* $kind,)*
        }

        impl CallbackKind {
            /// All kinds, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The name for users.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

callback_kinds! {
    /// A timer is due.
    Timer = "timer",
    /// An idle handle.
    Idle = "idle",
    /// A prepare handle.
    Prepare = "prepare",
    /// A check handle.
    Check = "check",
    /// An async handle was notified.
    Async = "async",
    /// A polled descriptor is ready.
    Poll = "poll",
    /// A stream is read.
    Read = "read",
    /// A stream is writable.
    Writable = "writable",
    /// A listening socket has a connection.
    Connection = "connection",
    /// A connect request has ended.
    Connect = "connect",
    /// A write request has ended.
    Write = "write",
    /// A shutdown request has ended.
    Shutdown = "shutdown",
    /// A datagram is received.
    Receive = "receive",
    /// A datagram was sent.
    Send = "send",
    /// A signal was delivered.
    Signal = "signal",
    /// A child has exited.
    Exit = "exit",
    /// A watched file has changed.
    FsEvent = "fs_event",
    /// A polled file has changed.
    FsPoll = "fs_poll",
    /// A file system request or other work of the pool has ended.
    Work = "work",
    /// A handle is closed.
    Close = "close",
    /// A Rust task is polled.
    Task = "task",
    /// JavaScript: the main script.
    Script = "script",
    /// JavaScript: the function that a callback of the loop calls.
    Function = "function",
    /// JavaScript: a function in the queue of `process.nextTick`.
    Tick = "tick",
    /// JavaScript: the microtask queue.
    Microtask = "microtasks",
    /// JavaScript: a function in the queue of `setImmediate`.
    Immediate = "immediate",
    /// JavaScript: a function of `setTimeout` or `setInterval`.
    Timeout = "timeout",
}

impl CallbackKind {
    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Whether it runs inside of a callback of the loop, as tasks and functions of JavaScript do.
    pub fn is_inner(self) -> bool {
        self >= Self::Task
    }

    /// The kind for a completion. `None` for one that leads to no callback.
    #[inline(always)]
    pub fn of(completion: &Completion) -> Option<Self> {
        Some(match completion {
            Completion::Async(_) => Self::Async,
            Completion::Poll { .. } => Self::Poll,
            Completion::Readable(_) | Completion::ReadEnd(_) | Completion::ReadFailed { .. } => {
                Self::Read
            }
            Completion::Writable(_) => Self::Writable,
            Completion::Connection { .. } => Self::Connection,
            Completion::Connect { .. } => Self::Connect,
            Completion::Write { .. } => Self::Write,
            Completion::Shutdown { .. } => Self::Shutdown,
            Completion::Receivable(_) => Self::Receive,
            Completion::Sent { .. } => Self::Send,
            Completion::Signal { .. } => Self::Signal,
            Completion::Exit { .. } => Self::Exit,
            Completion::FsEvent { .. } => Self::FsEvent,
            Completion::Close(_) => Self::Close,
            Completion::Progress { .. } | Completion::Stopped(_) => return None,
        })
    }

    /// The kind for the handles of a batch.
    #[inline(always)]
    pub(crate) fn of_hooks(batch: HookBatch) -> Self {
        match batch {
            HookBatch::Timers => Self::Timer,
            HookBatch::Idle => Self::Idle,
            HookBatch::Prepare => Self::Prepare,
            HookBatch::Check => Self::Check,
        }
    }

    /// The kind for what the pool has finished.
    #[inline(always)]
    pub(crate) fn of_work(completion: &WorkCompletion) -> Self {
        match completion {
            WorkCompletion::FsPoll { .. } => Self::FsPoll,
            WorkCompletion::Read { .. } | WorkCompletion::Work { .. } => Self::Work,
        }
    }
}
