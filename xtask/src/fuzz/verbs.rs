//! The vocabulary of scripts, `xtask/fuzz/verbs.txt`: the kinds of handles, and the operations with their
//! weights.

use std::sync::LazyLock;

const TABLE: &str = include_str!("../../fuzz/verbs.txt");

/// A part of the API. A seed uses few areas, so that their operations interact often.
pub type Area = &'static str;

pub const AREAS: &[Area] = &[
    "loop", "timer", "hook", "async", "tcp", "pipe", "udp", "poll", "signal", "process", "work",
    "fs", "fs_event", "fs_poll", "tty", "thread", "fork", "nested", "embed", "jump",
];

/// The type of a verb's parameter.
#[derive(Clone, Debug)]
pub enum Param {
    /// A handle of any kind.
    Any,
    /// A handle of one of these kinds.
    Of(Vec<&'static str>),
    Loop,
    Routine,
    /// A number from 0 to this one.
    Number(usize),
}

/// An operation of the interpreter.
pub struct Verb {
    /// The verb is used if one of these areas is.
    pub areas: Vec<Area>,
    pub weight: usize,
    pub name: &'static str,
    pub params: Vec<Param>,
}

/// A kind of handle.
pub struct Kind {
    /// The areas whose scripts have such handles.
    pub areas: Vec<Area>,
    pub name: &'static str,
    /// The verb that initialises a handle, and its parameters after the handle and the loop.
    pub init: &'static str,
    pub params: Vec<Param>,
}

/// The rows whose second word is `kind`.
pub static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let kind = |row: Vec<&'static str>| match row[..] {
        [areas, "kind", name, init, ref params @ ..] => {
            Some(Kind { areas: list(areas), name, init, params: parsed(params) })
        }
        _ => None,
    };
    rows().filter_map(kind).collect()
});

/// All other rows.
pub static VERBS: LazyLock<Vec<Verb>> = LazyLock::new(|| {
    let verb = |row: Vec<&'static str>| match row[..] {
        [areas, weight, name, ref params @ ..] => {
            let weight = weight.parse().ok()?;
            Some(Verb { areas: list(areas), weight, name, params: parsed(params) })
        }
        _ => None,
    };
    rows().filter_map(verb).collect()
});

/// The words of the rows.
fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect())
}

fn list(areas: &'static str) -> Vec<Area> {
    areas.split(',').collect()
}

fn parsed(params: &[&'static str]) -> Vec<Param> {
    let param = |param: &&'static str| match *param {
        "any" => Param::Any,
        "loop" => Param::Loop,
        "routine" => Param::Routine,
        other => match other.strip_prefix("0..=") {
            Some(limit) => Param::Number(limit.parse().expect("a number")),
            None => Param::Of(other.split('|').collect()),
        },
    };
    params.iter().map(param).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_name_known_areas_and_kinds() {
        assert_eq!(KINDS.len() + VERBS.len(), rows().count());
        let areas =
            KINDS.iter().map(|kind| &kind.areas).chain(VERBS.iter().map(|verb| &verb.areas));
        assert!(areas.flatten().all(|area| AREAS.contains(area)));
        for param in VERBS.iter().flat_map(|verb| &verb.params) {
            if let Param::Of(kinds) = param {
                assert!(kinds.iter().all(|name| KINDS.iter().any(|kind| kind.name == *name)));
            }
        }
    }
}
