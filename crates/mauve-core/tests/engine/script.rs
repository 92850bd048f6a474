//! Scripts of the random tests: operations, and the callbacks that perform them.

use std::collections::VecDeque;

use mauve_core::{HandleKind, Mode};
use mauve_sys::driver::{Interest, Readiness};
use proptest::prelude::*;

/// One operation on a loop or on the simulated system. A handle is given by a number, which engine and
/// model reduce modulo the number of handles opened so far, closed ones included.
#[derive(Clone, Debug)]
pub enum Op {
    Open(HandleKind),
    /// Timeout and repeat.
    StartTimer(usize, u64, u64),
    StopTimer(usize),
    Again(usize),
    SetRepeat(usize, u64),
    StartHook(usize),
    StopHook(usize),
    StartPoll(usize, Interest),
    StopPoll(usize),
    Send(usize),
    SendLater(usize, u64),
    Close(usize),
    Reference(usize, bool),
    QueryStatus(usize),
    LookAtLoop,
    Pass(u64),
    UpdateTime,
    Stop,
    Ready(usize, Readiness),
    ReadyLater(usize, Readiness, u64),
}

/// The number of descriptors. Poll handles share them.
pub const DESCRIPTORS: usize = 4;

/// The operations of one run: those before it, and those of its first, second, ... callback.
#[derive(Clone, Debug)]
pub struct Run {
    pub before: Vec<Op>,
    pub mode: Mode,
    pub inside: Vec<Vec<Op>>,
}

/// The log of calls and results, and the operations that callbacks have still to perform.
pub struct Trace {
    pub lines: Vec<String>,
    inside: VecDeque<Vec<Op>>,
    calls: usize,
}

/// The number of callbacks after which a run is stopped. Repeating timers would never end.
const MAX_CALLBACKS: usize = 60;

impl Trace {
    pub fn new() -> Self {
        Self { lines: Vec::new(), inside: VecDeque::new(), calls: 0 }
    }

    pub fn begin(&mut self, run: &Run) {
        self.inside = run.inside.clone().into();
        self.calls = 0;
        self.lines.push(format!("run {:?}", run.mode));
    }

    /// Logs a callback. Returns the operations that it performs.
    pub fn call(&mut self, what: String) -> Vec<Op> {
        self.lines.push(format!("  {what}"));
        self.calls += 1;
        let mut ops = self.inside.pop_front().unwrap_or_default();
        if self.calls > MAX_CALLBACKS {
            ops.push(Op::Stop);
        }
        ops
    }

    pub fn note(&mut self, what: String) {
        self.lines.push(format!("    {what}"));
    }
}

pub fn runs() -> impl Strategy<Value = Vec<Run>> {
    focus().prop_flat_map(|kinds| {
        let mode = prop_oneof![Just(Mode::Default), Just(Mode::Once), Just(Mode::NoWait)];
        let inside = prop::collection::vec(prop::collection::vec(op(&kinds), 0..4), 0..12);
        let run = (prop::collection::vec(op(&kinds), 0..16), mode, inside);
        let run = run.prop_map(|(before, mode, inside)| Run { before, mode, inside });
        prop::collection::vec(run, 1..5)
    })
}

/// The kinds of handle that a script uses. Few kinds, so that handles of one kind interact.
fn focus() -> impl Strategy<Value = Vec<HandleKind>> {
    use HandleKind::*;
    prop::sample::select(vec![
        vec![Timer, Idle, Prepare, Check, Async, Poll],
        vec![Timer],
        vec![Idle],
        vec![Prepare, Check],
        vec![Async],
        vec![Poll],
        vec![Timer, Async],
        vec![Poll, Async],
    ])
}

fn op(kinds: &[HandleKind]) -> impl Strategy<Value = Op> + use<> {
    let n = || 0..16usize;
    let mut ops = vec![
        (4, prop::sample::select(kinds.to_vec()).prop_map(Op::Open).boxed()),
        (3, n().prop_map(Op::Close).boxed()),
        (2, (n(), prop::bool::ANY).prop_map(|(n, set)| Op::Reference(n, set)).boxed()),
        (2, n().prop_map(Op::QueryStatus).boxed()),
        (1, Just(Op::LookAtLoop).boxed()),
        (2, (0..20u64).prop_map(Op::Pass).boxed()),
        (1, Just(Op::UpdateTime).boxed()),
        (1, Just(Op::Stop).boxed()),
    ];
    if kinds.contains(&HandleKind::Timer) {
        let repeat = prop_oneof![3 => Just(0), 2 => 1..8u64];
        let start = (n(), time(), repeat);
        ops.extend([
            (4, start.prop_map(|(n, timeout, repeat)| Op::StartTimer(n, timeout, repeat)).boxed()),
            (1, n().prop_map(Op::StopTimer).boxed()),
            (1, n().prop_map(Op::Again).boxed()),
            (1, (n(), 0..6u64).prop_map(|(n, repeat)| Op::SetRepeat(n, repeat)).boxed()),
        ]);
    }
    if [HandleKind::Idle, HandleKind::Prepare, HandleKind::Check]
        .iter()
        .any(|kind| kinds.contains(kind))
    {
        ops.push((6, n().prop_map(Op::StartHook).boxed()));
        ops.push((3, n().prop_map(Op::StopHook).boxed()));
    }
    if kinds.contains(&HandleKind::Async) {
        ops.push((5, n().prop_map(Op::Send).boxed()));
        ops.push((2, (n(), 0..30u64).prop_map(|(n, ms)| Op::SendLater(n, ms)).boxed()));
    }
    if kinds.contains(&HandleKind::Poll) {
        let later = (n(), readiness(), 0..30u64);
        ops.extend([
            (4, (n(), interest()).prop_map(|(n, interest)| Op::StartPoll(n, interest)).boxed()),
            (1, n().prop_map(Op::StopPoll).boxed()),
            (4, (n(), readiness()).prop_map(|(fd, ready)| Op::Ready(fd, ready)).boxed()),
            (2, later.prop_map(|(fd, ready, ms)| Op::ReadyLater(fd, ready, ms)).boxed()),
        ]);
    }
    prop::strategy::Union::new_weighted(ops)
}

/// Mostly small times that coincide, and some on higher levels of the timer wheel.
fn time() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0..8u64, 3 => 50..80u64, 1 => 4000..5000u64, 1 => Just(u64::MAX)]
}

fn interest() -> impl Strategy<Value = Interest> {
    (0..16u8).prop_map(Interest::from_bits_truncate)
}

fn readiness() -> impl Strategy<Value = Readiness> {
    prop_oneof![
        2 => Just(Readiness::empty()),
        6 => (0..16u8).prop_map(Readiness::from_bits_truncate),
        1 => (0..64u8).prop_map(Readiness::from_bits_truncate),
    ]
}
