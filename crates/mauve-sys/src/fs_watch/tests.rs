//! What the watchers of all systems have in common.

use std::ffi::OsStr;
use std::path::PathBuf;

#[cfg(mauve_kqueue)]
use super::kqueue::Watcher;
use super::*;

/// A new directory, and a watcher of it.
fn watched(name: &str) -> (PathBuf, Watcher) {
    let path = std::env::temp_dir().join(format!("mauve-watch-{name}-{}", std::process::id()));
    std::fs::create_dir(&path).unwrap();
    let watcher = Watcher::new().unwrap();
    watcher.add_directory(&path).unwrap();
    (path, watcher)
}

/// Reads until an event of this kind arrives for this name.
fn wait_for(watcher: &Watcher, kind: FsEventKind, name: Option<&str>) -> FsEvent {
    let mut found = None;
    while found.is_none() {
        watcher.read(|event| {
            if event.name.as_deref() == name.map(OsStr::new) && event.kind == kind {
                found = Some(event);
            }
        });
        std::thread::yield_now();
    }
    found.unwrap()
}

#[test]
fn created_and_removed_entries_of_a_directory_are_reported_by_name() {
    let (path, watcher) = watched("entries");
    std::fs::write(path.join("file"), b"x").unwrap();
    assert!(!wait_for(&watcher, FsEventKind::Created, Some("file")).is_directory);
    std::fs::create_dir(path.join("below")).unwrap();
    assert!(wait_for(&watcher, FsEventKind::Created, Some("below")).is_directory);
    std::fs::remove_file(path.join("file")).unwrap();
    wait_for(&watcher, FsEventKind::Removed, Some("file"));
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_changed_file_is_reported_until_its_watch_is_removed() {
    let (path, watcher) = watched("change");
    let file = path.join("file");
    std::fs::write(&file, b"x").unwrap();
    let watch = watcher.add(&file).unwrap();
    assert_eq!(watcher.add(&file), Ok(watch));
    std::fs::write(&file, b"longer").unwrap();
    assert_eq!(wait_for(&watcher, FsEventKind::Changed, None).watch, watch);
    while watcher.read(|_| ()) {}
    watcher.remove(watch);
    std::fs::write(&file, b"longer still").unwrap();
    std::fs::write(path.join("last"), b"x").unwrap();
    let mut is_last = false;
    while !is_last {
        watcher.read(|event| {
            let is_end = event.kind == FsEventKind::WatchRemoved;
            assert!(event.watch != watch || is_end, "{event:?}");
            is_last |= event.name.as_deref() == Some(OsStr::new("last"));
        });
        std::thread::yield_now();
    }
    std::fs::remove_dir_all(path).unwrap();
}

#[cfg(unix)]
#[test]
fn a_watch_of_a_removed_file_ends() {
    let (path, watcher) = watched("removal");
    let file = path.join("file");
    std::fs::write(&file, b"x").unwrap();
    let watch = watcher.add(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(wait_for(&watcher, FsEventKind::WatchRemoved, None).watch, watch);
    std::fs::remove_dir(path).unwrap();
}

/// Other systems report a removal and a creation.
#[cfg(any(windows, all(target_os = "linux", not(mauve_kqueue))))]
#[test]
fn both_names_of_a_move_have_one_cookie() {
    let (path, watcher) = watched("move");
    std::fs::write(path.join("one"), b"x").unwrap();
    std::fs::rename(path.join("one"), path.join("two")).unwrap();
    let (mut from, mut to) = (None, None);
    while to.is_none() {
        watcher.read(|event| match event.kind {
            FsEventKind::MovedOut => from = Some(event),
            FsEventKind::MovedIn => to = Some(event),
            _ => {}
        });
    }
    let (from, to) = (from.unwrap(), to.unwrap());
    assert_eq!([from.name, to.name], ["one", "two"].map(|name| Some(name.into())));
    assert!(from.cookie == to.cookie && from.cookie != 0);
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn only_a_directory_is_watched_as_one_and_only_what_exists() {
    let (path, watcher) = watched("kind");
    let file = path.join("file");
    std::fs::write(&file, b"x").unwrap();
    assert_eq!(watcher.add_directory(&file), Err(Errno::ENOTDIR));
    assert_eq!(watcher.add(&path.join("none")), Err(Errno::ENOENT));
    std::fs::remove_dir_all(path).unwrap();
    assert!(!Watcher::new().unwrap().read(|_| unreachable!("nothing is watched")));
}
