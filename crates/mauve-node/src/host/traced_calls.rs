//! The calls of JavaScript in the trace of the loop, see `mauve trace`.

use mauve_core::trace::{self, CallbackKind, CallbackName, InnerCallback};
use mauve_trace::Name;
use rquickjs::{Function, Result};

use super::Host;
use super::phase_lines::CallOrigin;

impl Host {
    /// Begins to record a call, if a trace is on. `function` returns what is called.
    pub(super) fn begin_recorded<'js>(
        &self,
        origin: CallOrigin,
        function: impl FnOnce() -> Result<Function<'js>>,
    ) -> Option<InnerCallback> {
        let name = || function().map(|function| name_of(&function)).unwrap_or_default();
        trace::begin_inner(self.lp.probe(), kind(origin), name)
    }

    /// Begins to record the main script.
    pub(super) fn begin_recorded_script(&self) -> Option<InnerCallback> {
        let name = || {
            let script = self.options.line.rest.first().cloned();
            mauve_trace::register_name("main script", &script.unwrap_or_default(), 0)
        };
        trace::begin_inner(self.lp.probe(), CallbackKind::Script, name)
    }

    pub(super) fn end_recorded(&self, recorded: Option<InnerCallback>) {
        trace::end_inner(self.lp.probe(), recorded);
    }

    /// Records that promise jobs have run since `begin`.
    pub(super) fn record_jobs(&self, begin: Option<u64>) {
        if let Some(begin) = begin {
            trace::record_inner(self.lp.probe(), CallbackKind::Microtask, begin);
        }
    }
}

fn kind(origin: CallOrigin) -> CallbackKind {
    match origin {
        CallOrigin::Script => CallbackKind::Script,
        CallOrigin::Callback => CallbackKind::Function,
        CallOrigin::Timers => CallbackKind::Timeout,
        CallOrigin::Immediates => CallbackKind::Immediate,
        CallOrigin::Tick => CallbackKind::Tick,
        CallOrigin::Microtask => CallbackKind::Microtask,
    }
}

fn name_of(function: &Function<'_>) -> CallbackName {
    let Name { function, file, line } = script_name(function);
    mauve_trace::register_name(&function, &file.unwrap_or_default(), line.unwrap_or_default())
}

/// The name, the file and the line of a function.
pub(crate) fn script_name(function: &Function<'_>) -> Name {
    let name: String = function.get("name").unwrap_or_default();
    let name = if name.is_empty() { "(anonymous)" } else { &name };
    let file: String = function.get("fileName").unwrap_or_default();
    let line: Option<u32> = function.get("lineNumber").ok();
    Name { function: name.to_owned(), file: Some(file).filter(|file| !file.is_empty()), line }
}
