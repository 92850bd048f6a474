//! The protocol of the signal queue, in all interleavings.
//!
//! The loop's side waits for the waker as it would for its poller, so a lost wake-up is a
//! deadlock, which loom reports.

use loom::model;
use loom::thread;

use super::*;
use crate::id::{Kind, Name};
use crate::sync::{Condvar, Mutex, lock};

/// A waker that the loop's thread can wait for.
#[derive(Default)]
struct Bell {
    /// How often it was rung since the loop has last looked; none may come once it is removed.
    state: Mutex<Rung>,
    rung: Condvar,
}

#[derive(Default)]
struct Rung {
    times: u32,
    removed: bool,
}

impl Wake for Bell {
    fn wake(&self) {
        let mut state = lock(&self.state);
        assert!(!state.removed, "woken through a closed descriptor");
        state.times += 1;
        drop(state);
        self.rung.notify_one();
    }
}

impl Bell {
    fn wait(&self) {
        let mut state = lock(&self.state);
        while state.times == 0 {
            state = self.rung.wait(state).unwrap();
        }
        state.times = 0;
    }

    fn remove(&self) {
        lock(&self.state).removed = true;
    }
}

/// Sleeps until it is rung, unless something was signalled while the loop was awake.
fn sleep(signals: &Signals, bell: &Bell) {
    if signals.fall_asleep() {
        bell.wait();
    }
}

/// A queue with one opened handle of each index, and its bell.
fn queue() -> (Arc<Signals>, std::sync::Arc<Bell>) {
    let bell = std::sync::Arc::new(Bell::default());
    let signals = Arc::new(Signals::new(bell.clone()));
    signals.open(handle(0, 0));
    signals.open(handle(1, 0));
    (signals, bell)
}

fn handle(index: u32, generation: u32) -> HandleId {
    Name::new(Kind::Async, generation).at(index)
}

fn take(signals: &Signals) -> Vec<u32> {
    let mut taken = Vec::new();
    signals.take(|index| taken.push(index));
    taken
}

#[test]
fn two_sends_to_one_handle_arrive_and_push_it_once() {
    model(|| {
        let (signals, bell) = queue();
        let other = signals.clone();
        let sender = thread::spawn(move || other.send(handle(0, 0)).unwrap());
        signals.send(handle(0, 0)).unwrap();
        sender.join().unwrap();
        bell.wait();
        assert_eq!(take(&signals), [0]);
        assert!(signals.is_empty());
    });
}

#[test]
fn sends_to_two_handles_both_wake_the_loop() {
    // Three threads: without a bound this takes a minute, and finds no more.
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(5);
    builder.check(|| {
        let (signals, bell) = queue();
        let senders = [0, 1].map(|index| {
            let signals = signals.clone();
            thread::spawn(move || signals.send(handle(index, 0)).unwrap())
        });
        let mut arrived = Vec::new();
        while arrived.len() < 2 {
            sleep(&signals, &bell);
            for index in take(&signals) {
                signals.unmark(index);
                arrived.push(index);
            }
        }
        arrived.sort_unstable();
        assert_eq!(arrived, [0, 1]);
        for sender in senders {
            sender.join().unwrap();
        }
        assert!(signals.is_empty());
    });
}

#[test]
fn the_callback_after_a_send_sees_what_was_written_before_it() {
    // Three sends in a row: as above.
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(5);
    builder.check(|| {
        let (signals, bell) = queue();
        let written = Arc::new(AtomicU32::new(0));
        let (sender, value) = (signals.clone(), written.clone());
        let sender = thread::spawn(move || {
            for n in 1..=3 {
                // Relaxed: it is the send that must make it visible.
                value.store(n, Ordering::Relaxed);
                sender.send(handle(0, 0)).unwrap();
            }
        });
        // A send that is merged into one before must be as good as one that is not, and one that
        // only looks, because the count is full, as good as one that is counted.
        while written.load(Ordering::Relaxed) < 3 {
            sleep(&signals, &bell);
            for index in take(&signals) {
                signals.unmark(index);
            }
        }
        sender.join().unwrap();
    });
}

#[test]
fn a_send_succeeds_exactly_if_it_comes_before_the_close() {
    model(|| {
        let (signals, bell) = queue();
        let other = signals.clone();
        let sender = thread::spawn(move || other.send(handle(0, 0)));
        let awaits_signal = signals.close(handle(0, 0));
        if awaits_signal {
            // The index rests until the signal has arrived.
            bell.wait();
            assert_eq!(take(&signals), [0]);
            signals.unmark(0);
        }
        // Used again, while the old sender may still be on its way out.
        signals.open(handle(0, 1));
        signals.send(handle(0, 1)).unwrap();
        sleep(&signals, &bell);
        assert_eq!(take(&signals), [0]);
        assert_eq!(sender.join().unwrap().is_ok(), awaits_signal);
        assert_eq!(signals.send(handle(0, 0)), Err(Closed));
        assert!(signals.is_empty());
    });
}

#[test]
fn nobody_wakes_a_queue_that_was_closed_and_has_settled() {
    model(|| {
        let (signals, bell) = queue();
        let other = signals.clone();
        let sender = thread::spawn(move || {
            let _ = other.send(handle(0, 0));
        });
        signals.close(handle(0, 0));
        signals.settle();
        bell.remove();
        sender.join().unwrap();
    });
}

#[test]
fn what_is_signalled_while_the_loop_is_awake_is_found_or_wakes_it_when_it_leaves() {
    model(|| {
        let (signals, bell) = queue();
        signals.send(handle(0, 0)).unwrap();
        bell.wait();
        let other = signals.clone();
        let sender = thread::spawn(move || other.send(handle(1, 0)).unwrap());
        let mut taken = take(&signals);
        signals.leave(false);
        while taken.len() < 2 {
            bell.wait();
            taken.extend(take(&signals));
            signals.leave(false);
        }
        taken.sort_unstable();
        assert_eq!(taken, [0, 1]);
        sender.join().unwrap();
    });
}
