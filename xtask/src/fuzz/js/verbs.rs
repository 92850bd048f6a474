//! The statements of random programs: `xtask/fuzz/js/verbs.txt`.

use std::sync::LazyLock;

use super::program::Verb;

pub static VERBS: LazyLock<Vec<Verb>> = LazyLock::new(|| {
    let lines = include_str!("../../../fuzz/js/verbs.txt").lines();
    let rows = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| {
        let (weight, text) = row.split_once(' ').expect("a weight and a text");
        Verb { weight: weight.parse().expect("a number"), text }
    })
    .collect()
});

/// Events of the process that programs listen to, and the probability in percent.
pub const EVENTS: &[(&str, usize)] = &[
    ("uncaughtException", 60),
    ("unhandledRejection", 30),
    ("rejectionHandled", 15),
    ("beforeExit", 15),
    ("warning", 15),
    ("exit", 15),
];

/// Durations in milliseconds, and other numbers. Timers of the first ones fall into the same list.
pub const NUMBERS: &[usize] = &[0, 1, 1, 1, 2, 3, 20, 40];
