//! The trace of `mauve run --phases`.
//!
//! A line has the phase, if it differs from the previous line, the origin, and the function with
//! its source position. Lines of ticks and microtasks are indented, because they run between
//! callbacks. Ticks of the built-in modules are omitted: they are implementation details of streams
//! and the console.

use std::cell::Cell;

use mauve::Phase;
use rquickjs::{Ctx, Function, Persistent};

use super::Call;

/// Where a call comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallOrigin {
    /// The script itself.
    Script,
    /// A callback of the loop.
    Callback,
    Timers,
    Immediates,
    Tick,
    Microtask,
}

impl CallOrigin {
    fn name(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Callback => "callback",
            Self::Timers => "timer",
            Self::Immediates => "immediate",
            Self::Tick => "nextTick",
            Self::Microtask => "microtask",
        }
    }

    /// Whether it runs between callbacks. Such lines are indented.
    fn is_between(self) -> bool {
        matches!(self, Self::Tick | Self::Microtask)
    }
}

/// Writes a line to standard error for each call.
#[derive(Debug, Default)]
pub(super) struct Trace {
    last: Cell<Option<Option<Phase>>>,
}

impl Trace {
    pub fn call(&self, ctx: &Ctx<'_>, phase: Option<Phase>, origin: CallOrigin, call: &Call) {
        let location = call.function(ctx).map(|function| describe(&function)).unwrap_or_default();
        if origin == CallOrigin::Tick && location.starts_with("in node:") {
            return;
        }
        self.line(phase, origin, &location);
    }

    pub fn callback(
        &self,
        ctx: &Ctx<'_>,
        phase: Option<Phase>,
        function: &Persistent<Function<'static>>,
    ) {
        let function = function.clone().restore(ctx);
        let location = function.map(|function| describe(&function)).unwrap_or_default();
        self.line(phase, CallOrigin::Callback, &location);
    }

    /// The script itself.
    pub fn script(&self, name: &str) {
        self.line(None, CallOrigin::Script, name);
    }

    pub fn microtask(&self, phase: Option<Phase>) {
        self.line(phase, CallOrigin::Microtask, "");
    }

    fn line(&self, phase: Option<Phase>, origin: CallOrigin, location: &str) {
        let heading = if self.last.replace(Some(phase)) == Some(phase) {
            ""
        } else {
            phase.map_or("main", Phase::name)
        };
        let indent = if origin.is_between() { "  " } else { "" };
        let label = format!("{indent}{}", origin.name());
        let line = format!("{heading:<8} │ {label:<12} {location}");
        eprintln!("{}", line.trim_end());
    }
}

/// The name and the source position of a function. For a function of a built-in module only the
/// module, because it only leads to the callback of the script.
fn describe(function: &Function<'_>) -> String {
    let file: Option<String> = function.get("fileName").ok();
    if let Some(module) = file.as_deref().and_then(|file| file.strip_prefix("node:")) {
        let module = module.strip_prefix("internal/").unwrap_or(module);
        return format!("in node:{}", module.split('/').next().unwrap_or(module));
    }
    let name: String = function.get("name").unwrap_or_default();
    let name = if name.is_empty() { "(anonymous)" } else { &name };
    let line: Option<u32> = function.get("lineNumber").ok();
    match (file, line) {
        (Some(file), Some(line)) => {
            format!("{name} ({}:{line})", file.rsplit('/').next().unwrap_or_default())
        }
        _ => name.to_owned(),
    }
}
