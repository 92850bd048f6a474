//! File watchers. `watch(path, recursive, callback)` returns a key for the other functions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use mauve::{RecursiveMode, Watcher};
use rquickjs::{Ctx, Function, Object, Persistent, Result};

use super::request::{PathArg, text};
use crate::binding::emitters::{self, Emitter, Label, Source};
use crate::binding::{define, number, throw};
use crate::host::current;

thread_local! {
    static WATCHERS: RefCell<HashMap<u32, Watcher>> = RefCell::default();
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "watch", watch)?;
    define(object, "unwatch", unwatch)?;
    define(object, "setWatchRef", set_ref)?;
    Ok(())
}

/// Calls back with an errno, whether the event is a rename, and the path.
fn watch<'js>(
    ctx: Ctx<'js>,
    path: PathArg,
    recursive: bool,
    callback: Persistent<Function<'static>>,
    emitter: Option<Emitter>,
) -> Result<u32> {
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(path.to_bytes()));
    let mode = if recursive { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
    let watcher = Watcher::new(&current().lp);
    let label = Label::Watcher(path.clone());
    let started = watcher.start(path, mode, move |(), _, event| {
        current().call_back(&callback, |_, args| match event {
            Ok(event) => {
                args.push_arg(0)?;
                args.push_arg(event.kind != mauve::FsEventKind::Modified)?;
                args.push_arg(text(event.path.as_os_str().as_bytes().to_vec()))
            }
            Err(error) => args.push_arg(number(error)),
        });
    });
    if let Err(error) = started {
        watcher.close();
        return throw(&ctx, error);
    }
    let key = WATCHERS.with_borrow_mut(|watchers| {
        let key = watchers.keys().max().map_or(1, |last| last + 1);
        watchers.insert(key, watcher);
        key
    });
    emitters::add(Source::Watcher(key), label, emitter);
    Ok(key)
}

fn unwatch(key: u32) {
    let watcher = WATCHERS.with_borrow_mut(|watchers| watchers.remove(&key));
    if let Some(watcher) = watcher {
        watcher.close();
        emitters::remove(Source::Watcher(key));
    }
}

fn set_ref(key: u32, on: bool) {
    WATCHERS.with_borrow(|watchers| {
        let Some(watcher) = watchers.get(&key) else { return };
        if on { watcher.ref_() } else { watcher.unref() }
    });
}
