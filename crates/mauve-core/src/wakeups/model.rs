//! The protocol of the wake-up queue, in all interleavings.
//!
//! The loop's side waits for the waker as it would for its driver, so a lost wake-up is a
//! deadlock, which loom reports.

use loom::model;
use loom::thread;

use super::*;
use crate::id::{HandleKind, Tag};
use crate::sync::{Condvar, Mutex, lock};

/// A waker that the loop's thread can wait for.
#[derive(Default)]
struct ModelWaker {
    state: Mutex<WakerState>,
    notified: Condvar,
}

#[derive(Default)]
struct WakerState {
    /// Notifications that the loop has not taken.
    count: u32,
    /// The descriptor is closed: no thread may notify any more.
    closed: bool,
}

impl Notify for ModelWaker {
    fn notify(&self) {
        let mut state = lock(&self.state);
        assert!(!state.closed, "notified through a closed descriptor");
        state.count += 1;
        drop(state);
        self.notified.notify_one();
    }
}

impl ModelWaker {
    fn wait(&self) {
        let mut state = lock(&self.state);
        while state.count == 0 {
            state = self.notified.wait(state).unwrap();
        }
        state.count = 0;
    }

    fn close(&self) {
        lock(&self.state).closed = true;
    }
}

/// Sleeps until it is notified, unless a handle was notified while the loop was awake.
fn sleep(queue: &WakeupQueue, waker: &ModelWaker) {
    if queue.park() {
        waker.wait();
    }
}

/// A queue with one opened handle of each index, and its waker.
fn queue() -> (Arc<WakeupQueue>, std::sync::Arc<ModelWaker>) {
    let waker = std::sync::Arc::new(ModelWaker::default());
    let queue = Arc::new(WakeupQueue::new(waker.clone()));
    queue.open(handle(0, 0));
    queue.open(handle(1, 0));
    (queue, waker)
}

fn handle(index: u32, generation: u32) -> HandleId {
    Tag::new(HandleKind::Async, generation).at(index)
}

fn take(queue: &WakeupQueue) -> Vec<u32> {
    let mut taken = Vec::new();
    queue.take(|index| taken.push(index));
    taken
}

/// Three threads take a minute without a bound, and find no more.
fn bounded(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

#[test]
fn two_sends_to_one_handle_arrive_and_push_it_once() {
    model(|| {
        let (queue, waker) = queue();
        let other = queue.clone();
        let sender = thread::spawn(move || other.send(handle(0, 0)).unwrap());
        queue.send(handle(0, 0)).unwrap();
        sender.join().unwrap();
        waker.wait();
        assert_eq!(take(&queue), [0]);
        assert!(queue.is_empty());
    });
}

#[test]
fn sends_to_two_handles_both_wake_the_loop() {
    bounded(|| {
        let (queue, waker) = queue();
        let senders = [0, 1].map(|index| {
            let queue = queue.clone();
            thread::spawn(move || queue.send(handle(index, 0)).unwrap())
        });
        let mut arrived = Vec::new();
        while arrived.len() < 2 {
            sleep(&queue, &waker);
            for index in take(&queue) {
                queue.clear(index);
                arrived.push(index);
            }
        }
        arrived.sort_unstable();
        assert_eq!(arrived, [0, 1]);
        for sender in senders {
            sender.join().unwrap();
        }
        assert!(queue.is_empty());
    });
}

/// The loop runs callbacks until one has seen everything that was written before a send.
fn run_until(queue: &WakeupQueue, waker: &ModelWaker, mut seen: impl FnMut() -> bool) {
    loop {
        sleep(queue, waker);
        for index in take(queue) {
            queue.clear(index);
            if seen() {
                return;
            }
        }
    }
}

#[test]
fn the_callback_after_a_send_sees_what_was_written_before_it() {
    bounded(|| {
        let (queue, waker) = queue();
        let written = Arc::new(AtomicU32::new(0));
        let (other, value) = (queue.clone(), written.clone());
        let sender = thread::spawn(move || {
            for n in 1..=3 {
                // Relaxed: it is the send that must make it visible.
                value.store(n, Ordering::Relaxed);
                other.send(handle(0, 0)).unwrap();
            }
        });
        // A send that finds the handle notified must have the same effect as the one that notified it.
        run_until(&queue, &waker, || written.load(Ordering::Relaxed) == 3);
        sender.join().unwrap();
    });
}

#[test]
fn the_callback_sees_what_both_of_two_senders_wrote() {
    bounded(|| {
        let (queue, waker) = queue();
        let written = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
        let senders = [0, 1].map(|n| {
            let (queue, written) = (queue.clone(), written.clone());
            thread::spawn(move || {
                written[n].store(1, Ordering::Relaxed);
                let id = handle(0, 0);
                // As the C ABI does: first without the queue.
                if !queue.node_of(id).unwrap().is_notified(notified_state(id)) {
                    queue.send(id).unwrap();
                }
            })
        });
        run_until(&queue, &waker, || {
            written.iter().all(|value| value.load(Ordering::Relaxed) == 1)
        });
        for sender in senders {
            sender.join().unwrap();
        }
    });
}

#[test]
fn a_send_succeeds_exactly_if_it_comes_before_the_close() {
    model(|| {
        let (queue, waker) = queue();
        let other = queue.clone();
        let sender = thread::spawn(move || other.send(handle(0, 0)));
        let node_in_use = queue.close(handle(0, 0));
        if node_in_use {
            // The index is not used until the node was taken.
            waker.wait();
            assert_eq!(take(&queue), [0]);
            queue.clear(0);
        }
        // Reused, while the old sender may still be inside `send`.
        queue.open(handle(0, 1));
        queue.send(handle(0, 1)).unwrap();
        sleep(&queue, &waker);
        assert_eq!(take(&queue), [0]);
        assert_eq!(sender.join().unwrap().is_ok(), node_in_use);
        assert_eq!(queue.send(handle(0, 0)), Err(SendError));
        assert!(queue.is_empty());
    });
}

#[test]
fn no_sender_touches_a_drained_queue_and_the_next_loop_can_use_it() {
    model(|| {
        let (queue, waker) = queue();
        let other = queue.clone();
        let sender = thread::spawn(move || {
            let _ = other.send(handle(0, 0));
        });
        let left = usize::from(queue.close(handle(0, 0))) + usize::from(queue.close(handle(1, 0)));
        queue.drain(left);
        assert!(queue.is_empty());
        waker.close();
        sender.join().unwrap();
        // The next loop has a descriptor of its own.
        *lock(&waker.state) = WakerState::default();
        queue.open(handle(0, 1));
        queue.send(handle(0, 1)).unwrap();
        sleep(&queue, &waker);
        assert_eq!(take(&queue), [0]);
    });
}

/// Takes notified nodes without waiting for the waker, as a loop does that is awake for another reason.
fn take_unnotified(queue: &WakeupQueue) -> Vec<u32> {
    while queue.is_empty() {
        yield_now();
    }
    take(queue)
}

#[test]
fn a_loop_that_took_a_node_early_waits_for_its_sender_before_it_closes_a_handle() {
    model(|| {
        let (queue, waker) = queue();
        let other = queue.clone();
        let sender = thread::spawn(move || other.send(handle(0, 0)).unwrap());
        assert_eq!(take_unnotified(&queue), [0]);
        queue.clear(0);
        queue.await_notifiers();
        assert_eq!(lock(&waker.state).count, 1, "the sender has yet to notify the loop");
        assert!(!queue.close(handle(0, 0)));
        sender.join().unwrap();
    });
}

#[test]
fn the_senders_of_all_nodes_that_were_taken_are_waited_for() {
    bounded(|| {
        let (queue, waker) = queue();
        let senders = [0, 1].map(|index| {
            let queue = queue.clone();
            thread::spawn(move || queue.send(handle(index, 0)).unwrap())
        });
        let taken = take_unnotified(&queue);
        for index in &taken {
            queue.clear(*index);
        }
        queue.await_notifiers();
        // The first to push notifies. One that pushes on another node, or when the loop is awake, does not.
        assert_eq!(lock(&waker.state).count, 1);
        for sender in senders {
            sender.join().unwrap();
        }
    });
}

#[test]
fn a_send_to_an_awake_loop_is_found_or_wakes_the_loop_when_it_leaves() {
    model(|| {
        let (queue, waker) = queue();
        queue.send(handle(0, 0)).unwrap();
        waker.wait();
        let other = queue.clone();
        let sender = thread::spawn(move || other.send(handle(1, 0)).unwrap());
        let mut taken = take(&queue);
        queue.leave(false);
        while taken.len() < 2 {
            waker.wait();
            taken.extend(take(&queue));
            queue.leave(false);
        }
        taken.sort_unstable();
        assert_eq!(taken, [0, 1]);
        sender.join().unwrap();
    });
}
