//! Wake-ups between two threads, each with a loop.

use std::sync::mpsc;
use std::thread;

use mauve::{Async, AsyncSender, Loop, Result, RunMode};

use crate::{Sample, Stopwatch};

pub(super) fn run() -> Result<Vec<Sample>> {
    Ok(vec![ping_pong("async ping-pong", 100_000)?])
}

/// The state of one side: how to wake its peer, and how many wake-ups are left.
struct Player {
    peer: Option<AsyncSender>,
    left: usize,
}

fn ping_pong(name: &str, count: usize) -> Result<Sample> {
    let (to_second, from_first) = mpsc::channel();
    let (to_first, from_second) = mpsc::channel();
    let passes = count / 2;
    let second = thread::spawn(move || -> Result<()> {
        let (lp, wakeup) = player()?;
        to_first.send(wakeup.sender()).expect("the first thread receives");
        let peer = from_first.recv().ok();
        lp.run_with(&mut Player { peer, left: passes }, RunMode::Default)?;
        Ok(())
    });
    let (lp, wakeup) = player()?;
    to_second.send(wakeup.sender()).expect("the second thread receives");
    let peer = from_second.recv().ok();
    let watch = Stopwatch::start();
    // The first wake-up. Each callback then wakes the other side.
    wakeup.sender().send().expect("the handle is open");
    lp.run_with(&mut Player { peer, left: passes }, RunMode::Default)?;
    let sample = watch.per(name, count);
    second.join().expect("no panic")?;
    Ok(sample)
}

fn player() -> Result<(Loop<Player>, Async<Player>)> {
    let lp = Loop::new()?;
    let wakeup = Async::new(&lp, |player: &mut Player, wakeup| {
        player.left -= 1;
        // The last wake-up may fail: the other side may have closed its handle.
        let _ = player.peer.as_ref().map(AsyncSender::send);
        if player.left == 0 {
            wakeup.close();
        }
    });
    Ok((lp, wakeup))
}
