//! Signal handles for the listeners of the script. They do not keep the loop running.

use std::cell::RefCell;
use std::collections::HashMap;

use mauve::Signal;
use rquickjs::{Ctx, Function, Object, Persistent, Result};

use super::{define, throw};
use crate::host::current;

thread_local! {
    static SIGNALS: RefCell<HashMap<u32, Signal>> = RefCell::default();
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "watch", watch)?;
    define(object, "unwatch", unwatch)?;
    let table = Object::new(object.ctx().clone())?;
    for (name, number) in NAMES {
        table.set(*name, *number)?;
    }
    object.set("numbers", table)?;
    Ok(())
}

fn watch<'js>(ctx: Ctx<'js>, number: i32, callback: Persistent<Function<'static>>) -> Result<u32> {
    let host = current();
    let signal = match Signal::new(&host.lp) {
        Ok(signal) => signal,
        Err(error) => return throw(&ctx, error),
    };
    let started = signal.start(number, move |(), _, _| {
        current().call_back(&callback, |_, _| Ok(()));
    });
    if let Err(error) = started {
        signal.close();
        return throw(&ctx, error);
    }
    signal.unref();
    Ok(SIGNALS.with_borrow_mut(|signals| {
        let key = signals.keys().max().map_or(0, |last| last + 1);
        signals.insert(key, signal);
        key
    }))
}

fn unwatch(key: u32) {
    let signal = SIGNALS.with_borrow_mut(|signals| signals.remove(&key));
    if let Some(signal) = signal {
        signal.close();
    }
}

/// The names and numbers of the signals of Linux, in the order of their numbers.
const NAMES: &[(&str, i32)] = &[
    ("SIGHUP", libc::SIGHUP),
    ("SIGINT", libc::SIGINT),
    ("SIGQUIT", libc::SIGQUIT),
    ("SIGILL", libc::SIGILL),
    ("SIGTRAP", libc::SIGTRAP),
    ("SIGABRT", libc::SIGABRT),
    ("SIGIOT", libc::SIGABRT),
    ("SIGBUS", libc::SIGBUS),
    ("SIGFPE", libc::SIGFPE),
    ("SIGKILL", libc::SIGKILL),
    ("SIGUSR1", libc::SIGUSR1),
    ("SIGSEGV", libc::SIGSEGV),
    ("SIGUSR2", libc::SIGUSR2),
    ("SIGPIPE", libc::SIGPIPE),
    ("SIGALRM", libc::SIGALRM),
    ("SIGTERM", libc::SIGTERM),
    ("SIGCHLD", libc::SIGCHLD),
    ("SIGSTKFLT", libc::SIGSTKFLT),
    ("SIGCONT", libc::SIGCONT),
    ("SIGSTOP", libc::SIGSTOP),
    ("SIGTSTP", libc::SIGTSTP),
    ("SIGTTIN", libc::SIGTTIN),
    ("SIGTTOU", libc::SIGTTOU),
    ("SIGURG", libc::SIGURG),
    ("SIGXCPU", libc::SIGXCPU),
    ("SIGXFSZ", libc::SIGXFSZ),
    ("SIGVTALRM", libc::SIGVTALRM),
    ("SIGPROF", libc::SIGPROF),
    ("SIGWINCH", libc::SIGWINCH),
    ("SIGIO", libc::SIGIO),
    ("SIGPOLL", libc::SIGIO),
    ("SIGPWR", libc::SIGPWR),
    ("SIGSYS", libc::SIGSYS),
];
