//! Wake-ups between two threads, each with a loop.

use std::sync::mpsc;
use std::thread;

use mauve::{Async, Loop, Result, RunMode, Sender};

use crate::{Sample, Stopwatch};

pub(super) fn run() -> Result<Vec<Sample>> {
    Ok(vec![ping_pong("async ping-pong", 100_000)?])
}

/// What a player knows: whom to wake, and for how long.
struct Player {
    other: Option<Sender>,
    left: usize,
}

fn ping_pong(name: &str, count: usize) -> Result<Sample> {
    let (to_there, from_here) = mpsc::channel();
    let (to_here, from_there) = mpsc::channel();
    let rounds = count / 2;
    let other = thread::spawn(move || -> Result<()> {
        let (lp, ball) = player()?;
        to_here.send(ball.sender()).expect("the other thread waits");
        let other = from_here.recv().ok();
        lp.run_with(&mut Player { other, left: rounds }, RunMode::Default)?;
        Ok(())
    });
    let (lp, ball) = player()?;
    to_there.send(ball.sender()).expect("the other thread waits");
    let other_player = from_there.recv().ok();
    let watch = Stopwatch::start();
    // The first throw; everybody throws as often as they have caught.
    ball.sender().send().expect("the handle is open");
    lp.run_with(&mut Player { other: other_player, left: rounds }, RunMode::Default)?;
    let sample = watch.per(name, count);
    other.join().expect("no panic")?;
    Ok(sample)
}

fn player() -> Result<(Loop<Player>, Async<Player>)> {
    let lp = Loop::new()?;
    let ball = Async::new(&lp, |player: &mut Player, ball| {
        player.left -= 1;
        // The last throw may find the other side gone.
        let _ = player.other.as_ref().map(Sender::send);
        if player.left == 0 {
            ball.close();
        }
    });
    Ok((lp, ball))
}
