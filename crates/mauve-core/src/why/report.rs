//! The report that `mauve why` reads, see [`probe`](crate::probe).

use std::fmt::Write as _;

use mauve_sys::driver::Driver;

use super::{LoopItem, LoopItemKind};
use crate::Engine;
use crate::id::{HandleKind, Token};
use crate::trace::{CallbackKind, CallbackName};

/// Precedes the address of a function in a report.
pub const FUNCTION: &str = "function ";

impl<D: Driver> Engine<D> {
    /// Writes a report if there is a new query. Called after every wait.
    #[inline]
    pub(crate) fn report_if_queried(&mut self) {
        if self.probe.is_queried() {
            self.report();
        }
    }

    #[cold]
    fn report(&mut self) {
        let mut text = String::new();
        let items = self.inventory();
        let alive = self.alive();
        let wait = self.describe_wait();
        let reasons = items.iter().filter(|item| item.keeps_alive()).count();
        let _ = match reasons {
            _ if !alive => writeln!(text, "nothing keeps it alive"),
            1 => writeln!(text, "1 thing keeps it alive; it waits {wait}"),
            count => writeln!(text, "{count} things keep it alive; it waits {wait}"),
        };
        for item in &items {
            let mark = if item.keeps_alive() { '*' } else { ' ' };
            let _ = writeln!(text, "  {mark} {item}{}", self.function_of(item));
        }
        for note in self.probe.host().notes.as_ref().map(|notes| notes()).unwrap_or_default() {
            let _ = writeln!(text, "    {note}");
        }
        self.probe.report(text);
    }

    /// `, calls FUNCTION` for an item whose callback has a name. A function of C is an address, which the
    /// reader names.
    fn function_of(&self, item: &LoopItem) -> String {
        let kind = kind_of(item).filter(|_| item.active);
        let name =
            kind.zip(self.tracer.names()).map(|(kind, names)| names(kind, Token(item.token)));
        match name.unwrap_or_default() {
            CallbackName::Function(address) => format!(", calls {FUNCTION}{address:#x}"),
            CallbackName::Location(at) => {
                format!(", calls closure ({}:{})", at.file(), at.line())
            }
            CallbackName::Unknown | CallbackName::Registered(_) => String::new(),
        }
    }
}

/// What the callback of a handle or request is for. `None` if that may be several things, or if it has none.
fn kind_of(item: &LoopItem) -> Option<CallbackKind> {
    let does = |what: &str| item.details.iter().any(|detail| detail == what);
    Some(match &item.kind {
        LoopItemKind::Handle(kind) => match kind {
            HandleKind::Timer => CallbackKind::Timer,
            HandleKind::Idle => CallbackKind::Idle,
            HandleKind::Prepare => CallbackKind::Prepare,
            HandleKind::Check => CallbackKind::Check,
            HandleKind::Async => CallbackKind::Async,
            HandleKind::Poll => CallbackKind::Poll,
            HandleKind::Signal => CallbackKind::Signal,
            HandleKind::Process => CallbackKind::Exit,
            HandleKind::FsEvent => CallbackKind::FsEvent,
            HandleKind::FsPoll => CallbackKind::FsPoll,
            HandleKind::Udp if does("receiving") => CallbackKind::Receive,
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty if does("listening") => {
                CallbackKind::Connection
            }
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty if does("reading") => {
                CallbackKind::Read
            }
            HandleKind::Udp | HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => return None,
        },
        LoopItemKind::Request(name) => match name.as_str() {
            "write" => CallbackKind::Write,
            "connect" => CallbackKind::Connect,
            "shutdown" => CallbackKind::Shutdown,
            "send" => CallbackKind::Send,
            "stat of an fs_poll" => return None,
            _ => CallbackKind::Work,
        },
        LoopItemKind::Task(_) | LoopItemKind::BlockOn(_) | LoopItemKind::HostReferences => {
            return None;
        }
    })
}
