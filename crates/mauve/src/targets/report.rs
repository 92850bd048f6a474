//! What the engine reports to a target.

use std::fmt;

use mauve_core::{Completion, HookBatch, Token, WorkCompletion};

/// A completion of the engine, from a step or from a batch.
///
/// By reference: copying a completion right after it was written causes a store-forwarding stall.
#[derive(Clone, Copy)]
pub(crate) enum Report<'a> {
    /// A timer is due, or an idle, prepare or check handle runs.
    Hook(HookBatch, Token),
    Event(&'a Completion),
    Work(&'a WorkCompletion),
}

impl Report<'_> {
    #[inline(always)]
    pub fn token(self) -> Token {
        match self {
            Self::Hook(_, token) => token,
            Self::Event(completion) => completion.token(),
            Self::Work(completion) => completion.token(),
        }
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hook(batch, token) => write!(f, "{batch:?}({token:?})"),
            Self::Event(completion) => completion.fmt(f),
            Self::Work(completion) => completion.fmt(f),
        }
    }
}
