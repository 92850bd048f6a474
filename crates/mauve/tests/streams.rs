//! What tasks use as streams: changes of files, ticks, signals, entries and lines.

use std::time::Duration;

use futures_lite::StreamExt as _;
use mauve::signal::{SignalKind, signal};
use mauve::{FsEvent, FsEventKind, Loop, RecursiveMode, fs};

#[mauve::test]
async fn a_watch_names_what_has_happened() {
    let directory = fs::create_temp_dir(std::env::temp_dir().join("mauve-watch-")).await.unwrap();
    let at = |name: &str| directory.join(name);
    let mut changes = fs::watch(&directory, RecursiveMode::NonRecursive).unwrap();
    std::fs::write(at("one"), "").unwrap();
    std::fs::rename(at("one"), at("two")).unwrap();
    std::fs::write(at("two"), "text").unwrap();
    std::fs::remove_file(at("two")).unwrap();
    let mut kinds = Vec::new();
    while let Some(change) = changes.next().await {
        let FsEvent { path, kind, .. } = change.unwrap();
        let name = path.to_str().unwrap().to_owned();
        // An entry is modified as often as the system likes.
        if kinds.last() != Some(&(name.clone(), kind)) {
            kinds.push((name, kind));
        }
        if kinds.last() == Some(&("two".to_owned(), FsEventKind::Removed)) {
            break;
        }
    }
    kinds.retain(|(_, kind)| *kind != FsEventKind::Modified);
    let (from, to) = match kinds[1].1 {
        FsEventKind::MovedFrom => (FsEventKind::MovedFrom, FsEventKind::MovedTo),
        // A system that does not report moves.
        _ => (FsEventKind::Removed, FsEventKind::Created),
    };
    let expected =
        [("one", FsEventKind::Created), ("one", from), ("two", to), ("two", FsEventKind::Removed)];
    assert_eq!(kinds, expected.map(|(name, kind)| (name.to_owned(), kind)));
    assert!(fs::watch(at("missing"), RecursiveMode::NonRecursive).is_err());
    fs::remove_dir_all(directory).await.unwrap();
}

#[test]
fn a_watch_ends_with_its_loop() {
    let lp: Loop = Loop::new().unwrap();
    let path = std::env::temp_dir();
    let mut changes = lp.block_on(async { fs::watch(path, RecursiveMode::NonRecursive).unwrap() });
    drop(lp);
    let ended = async {
        // Other tests may have changed the directory before.
        while changes.next().await.is_some() {}
    };
    futures_lite::future::block_on(ended);
}

#[mauve::test]
async fn a_watch_alone_does_not_keep_its_loop_alive() {
    let changes = fs::watch(std::env::temp_dir(), RecursiveMode::NonRecursive).unwrap();
    assert_eq!(Loop::current().handles().len(), 0, "its handle is internal");
    drop(changes);
}

#[mauve::test]
async fn ticks_signals_entries_and_lines_are_streams() {
    let ticks = mauve::time::interval(Duration::from_millis(1));
    assert_eq!(ticks.take(3).collect::<Vec<_>>().await.len(), 3);

    let mut signals = signal(SignalKind::user_defined1()).unwrap();
    mauve::process::kill(std::process::id(), SignalKind::user_defined1()).unwrap();
    assert_eq!(signals.next().await, Some(()));

    let directory = fs::create_temp_dir(std::env::temp_dir().join("mauve-stream-")).await.unwrap();
    for name in ["a", "b"] {
        fs::write(directory.join(name), name).await.unwrap();
    }
    let entries = fs::read_dir(&directory).await.unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect().await;
    names.sort();
    assert_eq!(names, ["a", "b"]);
    fs::remove_dir_all(directory).await.unwrap();

    let lines = mauve::io::lines(&b"one\ntwo"[..]);
    let lines: Vec<_> = lines.map(Result::unwrap).collect().await;
    assert_eq!(lines, ["one", "two"]);
}
