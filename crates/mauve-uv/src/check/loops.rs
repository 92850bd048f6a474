//! Checks of loops: initialised once, closed when empty, used by one thread at a time.

use std::fmt::Write as _;
use std::io::Write as _;

use super::origin::Origin;
use super::registry::{LoopRecord, registry};
use super::{handles, threads};
use crate::abi::*;
use crate::ffi::{Ptr, abort_misuse, abort_misuse_with_backtrace};

/// Number of handles that are checked per iteration.
const MAX_CHECKED: usize = 1024;

impl LoopRecord {
    fn describe(&self, address: u64) -> String {
        format!("the loop at {address:#x}, {},", self.created.describe("created"))
    }

    fn backtrace(&self) -> String {
        let closed = self.close_call.as_ref().map(|closed| closed.backtrace("it was closed"));
        self.created.backtrace("it was created") + &closed.unwrap_or_default()
    }
}

/// A loop is about to be initialised.
#[cold]
pub(crate) fn before_init(address: u64) {
    let registry = registry();
    if let Some(record) = registry.loops.get(&address)
        && record.close_call.is_none()
    {
        let (name, lines) = (record.describe(address), record.backtrace());
        drop(registry);
        abort_misuse_with_backtrace(
            "uv_loop_init",
            format_args!("{name} is initialised again without uv_loop_close"),
            &lines,
        );
    }
}

/// A loop was initialised.
#[cold]
pub(crate) fn on_init(address: u64) {
    let record = LoopRecord {
        created: Origin::capture("uv_loop_init"),
        close_call: None,
        inspected: (0, 0),
    };
    registry().loops.insert(address, record);
}

/// A loop was closed.
#[cold]
pub(crate) fn on_close(address: u64) {
    if let Some(record) = registry().loops.get_mut(&address) {
        record.close_call = Some(Origin::capture("uv_loop_close"));
    }
}

/// A loop was passed to a call, directly or through a handle.
#[cold]
pub(crate) fn on_use(loop_: Ptr<uv_loop_t>, call: &str) {
    let address = loop_.address();
    let registry = registry();
    match registry.loops.get(&address) {
        Some(record) if record.close_call.is_some() => {
            let (name, lines) = (record.describe(address), record.backtrace());
            drop(registry);
            abort_misuse_with_backtrace(call, format_args!("{name} is closed"), &lines);
        }
        Some(_) => drop(registry),
        None if registry.is_complete => {
            drop(registry);
            abort_misuse(call, format_args!("the loop at {address:#x} was never initialised"));
        }
        None => return,
    }
    if !loop_.is_intact() {
        let registry = self::registry();
        let described = registry.loops.get(&address).map(|r| (r.describe(address), r.backtrace()));
        drop(registry);
        let (name, lines) = described.unwrap_or_default();
        let what = "was overwritten before uv_loop_close";
        abort_misuse_with_backtrace(call, format_args!("{name} {what}"), &lines);
    }
    threads::on_use(loop_, call);
}

/// A running loop has reached `iteration`: checks that its handles are intact.
#[cold]
pub(crate) fn check_handles(loop_: u64, iteration: u64) {
    let mut registry = registry();
    let Some(record) = registry.loops.get_mut(&loop_) else { return };
    if record.inspected.0 == iteration {
        return;
    }
    let begin = record.inspected.1;
    let open =
        registry.handles.iter().filter(|(_, record)| record.loop_ == loop_ && !record.is_closed);
    let total = open.clone().count();
    let begin = if begin < total { begin } else { 0 };
    let broken = open.skip(begin).take(MAX_CHECKED).find(|(at, record)| !record.is_intact(**at));
    if let Some((address, record)) = broken {
        let (name, lines) = (record.describe(*address), record.created.backtrace("it was created"));
        drop(registry);
        handles::abort_overwritten(&name, &lines);
    }
    if let Some(record) = registry.loops.get_mut(&loop_) {
        record.inspected = (iteration, begin + MAX_CHECKED);
    }
}

/// Prints what keeps a loop from being closed. The program gets an error code, so this does not
/// abort.
#[cold]
pub(crate) fn print_busy(loop_: Ptr<uv_loop_t>, call: &str) {
    let mut text = format!("mauve: {call}: the loop at {:#x} is busy:\n", loop_.address());
    let items = loop_.engine(call, |engine| engine.inventory());
    for item in &items {
        let made = handles::describe(item.token);
        let _ = writeln!(text, "mauve:   {item}");
        if let Some((_, lines)) = made {
            text += &lines;
        }
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Prints the handles that are still open at exit.
pub(super) extern "C" fn print_open_at_exit() {
    let registry = registry();
    let mut text = String::new();
    for (address, record) in registry.handles.iter().filter(|(_, record)| !record.is_closed) {
        let state = if record.close_call.is_some() { "closing" } else { "open" };
        let _ = writeln!(text, "mauve: at exit: {} is still {state}", record.describe(*address));
        text += &record.created.backtrace("it was created");
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}
