//! The objects of the script that the loop calls: servers, sockets, children and watchers. `mauve why` lists
//! the functions of the script that wait for their events.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use mauve_trace::Name;
use rquickjs::{Ctx, Function, Object, Persistent, Value};

use crate::host::traced_calls::script_name;

/// An object with listeners.
pub(super) type Emitter = Persistent<Object<'static>>;

/// What events come from, by its number in its module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Stream(u64),
    Udp(u64),
    Process(u32),
    Watcher(u32),
}

/// How a report calls it.
#[derive(Clone)]
pub(super) enum Label {
    Server(i32),
    Socket(i32),
    Datagrams(i32),
    Process(u32),
    Watcher(PathBuf),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server(fd) => write!(f, "server fd {fd}"),
            Self::Socket(fd) => write!(f, "socket fd {fd}"),
            Self::Datagrams(fd) => write!(f, "datagram socket fd {fd}"),
            Self::Process(pid) => write!(f, "child process {pid}"),
            Self::Watcher(path) => write!(f, "watcher of {}", path.display()),
        }
    }
}

thread_local! {
    static EMITTERS: RefCell<BTreeMap<Source, (Label, Emitter)>> = RefCell::default();
}

/// Adds the object of a source, until the source is closed.
pub(super) fn add(source: Source, label: Label, emitter: Option<Emitter>) {
    if let Some(emitter) = emitter {
        let replaced =
            EMITTERS.with_borrow_mut(|emitters| emitters.insert(source, (label, emitter)));
        drop(replaced);
    }
}

pub(super) fn remove(source: Source) {
    // Dropped with no borrow held, because it may be the last reference to an object of the script.
    drop(EMITTERS.with_borrow_mut(|emitters| emitters.remove(&source)));
}

/// One line for each function of the script that waits for an event, and of the signals of the process.
pub(crate) fn describe(ctx: &Ctx<'_>) -> Vec<String> {
    let emitters: Vec<_> = EMITTERS.with_borrow(|emitters| emitters.values().cloned().collect());
    let mut lines = Vec::new();
    for (label, emitter) in emitters {
        let Ok(emitter) = emitter.restore(ctx) else { continue };
        let listeners = listeners(&emitter).into_iter();
        lines.extend(listeners.map(|(event, name)| format!("{label}, {event} {name}")));
    }
    if let Ok(process) = ctx.globals().get::<_, Object<'_>>("process") {
        let signals = listeners(&process).into_iter().filter(|(event, _)| event.starts_with("SIG"));
        lines.extend(signals.map(|(signal, name)| format!("signal {signal}, {name}")));
    }
    lines
}

/// The events of an emitter with the functions of the script for them. Those of Node's modules are left out.
fn listeners(emitter: &Object<'_>) -> Vec<(String, Name)> {
    let mut found = Vec::new();
    let Ok(events) = emitter.get::<_, Object<'_>>("_events") else { return found };
    for (event, value) in events.props::<String, Value<'_>>().flatten() {
        let several = value.as_array().into_iter().flat_map(|list| list.iter::<Function<'_>>());
        let functions = value.as_function().cloned().into_iter().chain(several.flatten());
        let names = functions.map(|function| script_name(&function));
        let is_of_script =
            |name: &Name| name.file.as_ref().is_some_and(|file| !file.starts_with("node:"));
        found.extend(names.filter(is_of_script).map(|name| (event.clone(), name)));
    }
    found
}
