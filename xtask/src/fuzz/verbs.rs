//! What scripts consist of: the kinds of handles, and the operations with how often they are used.
//!
//! Behaviour that differs on purpose (docs/switching.md) is left out here or skipped by the
//! interpreter, with a comment that names the row.

/// A part of the interface. A seed uses some of them, so that their combinations are dense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    Loop,
    Timer,
    Hook,
    Async,
    Nested,
}

/// A kind of handle, named as its `_init` verb begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Timer,
    Idle,
    Prepare,
    Check,
    Async,
}

/// What a verb takes.
#[derive(Clone, Copy, Debug)]
pub enum Param {
    /// A handle of any kind.
    Any,
    /// A handle of one of these kinds.
    Of(&'static [Kind]),
    Loop,
    Routine,
    /// A number up to this one.
    Number(usize),
}

/// An operation.
pub struct Verb {
    pub area: Area,
    pub weight: usize,
    pub name: &'static str,
    pub params: &'static [Param],
}

use Area::{Async, Hook, Loop, Nested, Timer};
use Param::{Any, Number, Of, Routine};

/// The longest timer, in ticks. The interpreter's watchdog waits longer.
const TICKS: usize = 3;

const HOOKS: &[Kind] = &[Kind::Idle, Kind::Prepare, Kind::Check];

impl Area {
    pub const ALL: &[(&'static str, Self)] =
        &[("loop", Loop), ("timer", Timer), ("hook", Hook), ("async", Async), ("nested", Nested)];

    /// The kinds of handles that belong to it.
    pub fn kinds(self) -> &'static [Kind] {
        match self {
            Loop | Nested => &[],
            Timer => &[Kind::Timer],
            Hook => HOOKS,
            Async => &[Kind::Async],
        }
    }
}

impl Kind {
    /// The verb that makes one, and what it takes besides the handle and the loop.
    pub fn init(self) -> (&'static str, &'static [Param]) {
        match self {
            Self::Timer => ("timer_init", &[]),
            Self::Idle => ("idle_init", &[]),
            Self::Prepare => ("prepare_init", &[]),
            Self::Check => ("check_init", &[]),
            Self::Async => ("async_init", &[Routine]),
        }
    }
}

const fn verb(area: Area, weight: usize, name: &'static str, params: &'static [Param]) -> Verb {
    Verb { area, weight, name, params }
}

/// All but the `_init` ones.
pub const VERBS: &[Verb] = &[
    verb(Loop, 6, "run", &[Param::Loop, Number(2)]),
    verb(Loop, 2, "stop", &[Param::Loop]),
    verb(Loop, 1, "alive", &[Param::Loop]),
    verb(Loop, 2, "timeout", &[Param::Loop]),
    verb(Loop, 1, "update", &[Param::Loop]),
    verb(Loop, 1, "now", &[Param::Loop]),
    verb(Loop, 1, "tick", &[]),
    verb(Loop, 1, "walk", &[Param::Loop]),
    verb(Loop, 1, "walk_close", &[Param::Loop, Routine]),
    verb(Loop, 1, "loop_close", &[Param::Loop]),
    verb(Loop, 1, "loop_init", &[Param::Loop]),
    verb(Loop, 5, "close", &[Any, Routine]),
    verb(Loop, 2, "ref", &[Any]),
    verb(Loop, 3, "unref", &[Any]),
    verb(Loop, 1, "state", &[Any]),
    verb(Nested, 6, "run_again", &[Param::Loop, Number(2)]),
    verb(Timer, 10, "timer_start", &[Of(&[Kind::Timer]), Number(TICKS), Number(2), Routine]),
    verb(Timer, 3, "timer_stop", &[Of(&[Kind::Timer])]),
    verb(Timer, 2, "timer_again", &[Of(&[Kind::Timer])]),
    verb(Timer, 1, "timer_repeat", &[Of(&[Kind::Timer]), Number(2)]),
    verb(Timer, 1, "timer_due", &[Of(&[Kind::Timer])]),
    verb(Hook, 10, "hook_start", &[Of(HOOKS), Routine]),
    verb(Hook, 4, "hook_stop", &[Of(HOOKS)]),
    verb(Async, 8, "async_send", &[Of(&[Kind::Async])]),
    verb(Async, 2, "async_send_from_thread", &[Of(&[Kind::Async])]),
];
