//! Loops: made once, closed when empty, and looked after while they run.

use std::fmt::Write as _;
use std::io::Write as _;

use super::origin::Origin;
use super::registry::{LoopRecord, registry};
use super::{handles, threads};
use crate::abi::*;
use crate::ffi::{Ptr, misuse, misuse_traced};

/// So many handles are looked at in one iteration.
const LOOKED_AT: usize = 1024;

impl LoopRecord {
    fn said(&self, address: u64) -> String {
        format!("the loop at {address:#x}, {},", self.made.said("created"))
    }

    fn lines(&self) -> String {
        let closed = self.closed.as_ref().map(|closed| closed.lines("it was closed"));
        self.made.lines("it was created") + &closed.unwrap_or_default()
    }
}

/// A loop is about to be initialised.
#[cold]
pub(crate) fn making(address: u64) {
    let registry = registry();
    if let Some(record) = registry.loops.get(&address)
        && record.closed.is_none()
    {
        let (name, lines) = (record.said(address), record.lines());
        drop(registry);
        let what = format_args!("{name} is initialised again without uv_loop_close");
        misuse_traced("uv_loop_init", what, &lines);
    }
}

/// A loop was initialised.
#[cold]
pub(crate) fn made(address: u64) {
    let record = LoopRecord { made: Origin::here("uv_loop_init"), closed: None, inspected: (0, 0) };
    registry().loops.insert(address, record);
}

/// A loop was closed.
#[cold]
pub(crate) fn closed(address: u64) {
    if let Some(record) = registry().loops.get_mut(&address) {
        record.closed = Some(Origin::here("uv_loop_close"));
    }
}

/// A loop was handed in, perhaps by way of a handle.
#[cold]
pub(crate) fn used(of: Ptr<uv_loop_t>, call: &str) {
    let address = of.address();
    let registry = registry();
    match registry.loops.get(&address) {
        Some(record) if record.closed.is_some() => {
            let (name, lines) = (record.said(address), record.lines());
            drop(registry);
            misuse_traced(call, format_args!("{name} is closed"), &lines);
        }
        Some(_) => drop(registry),
        None if registry.whole => {
            drop(registry);
            misuse(call, format_args!("the loop at {address:#x} was never initialised"));
        }
        None => return,
    }
    if !of.is_intact() {
        let registry = self::registry();
        let introduced = registry.loops.get(&address).map(|r| (r.said(address), r.lines()));
        drop(registry);
        let (name, lines) = introduced.unwrap_or_default();
        let what = "was overwritten before uv_loop_close";
        misuse_traced(call, format_args!("{name} {what}"), &lines);
    }
    threads::used(of, call);
}

/// A loop that runs has come to its `iteration`: its handles must be where they were.
#[cold]
pub(crate) fn inspect(of: u64, iteration: u64) {
    let mut registry = registry();
    let Some(record) = registry.loops.get_mut(&of) else { return };
    if record.inspected.0 == iteration {
        return;
    }
    let begin = record.inspected.1;
    let open = registry.handles.iter().filter(|(_, record)| record.of == of && !record.gone);
    let total = open.clone().count();
    let begin = if begin < total { begin } else { 0 };
    let broken = open.skip(begin).take(LOOKED_AT).find(|(at, record)| !record.is_intact(**at));
    if let Some((address, record)) = broken {
        let (name, lines) = (record.said(*address), record.made.lines("it was created"));
        drop(registry);
        handles::overwritten(&name, &lines);
    }
    if let Some(record) = registry.loops.get_mut(&of) {
        record.inspected = (iteration, begin + LOOKED_AT);
    }
}

/// A loop cannot be closed: says what is in the way. That is an error which the program hears of,
/// and no reason to end it.
#[cold]
pub(crate) fn list_busy(of: Ptr<uv_loop_t>, call: &str) {
    let mut text = format!("mauve: {call}: the loop at {:#x} is busy:\n", of.address());
    let items = of.engine(call, |engine| engine.inventory());
    for item in &items {
        let made = handles::introduction(item.token.0);
        let _ = writeln!(text, "mauve:   {item}");
        if let Some((_, lines)) = made {
            text += &lines;
        }
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Lists what is still open when the process ends.
pub(super) extern "C" fn list_at_exit() {
    let registry = registry();
    let mut text = String::new();
    for (address, record) in registry.handles.iter().filter(|(_, record)| !record.gone) {
        let state = if record.closed.is_some() { "closing" } else { "open" };
        let _ = writeln!(text, "mauve: at exit: {} is still {state}", record.said(*address));
        text += &record.made.lines("it was created");
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}
