//! The order in which ticks and microtasks are drained.

use mauve_node::queue::{DrainStep, TickQueue};
use proptest::prelude::*;

/// A callback, and what it adds when it runs.
#[derive(Clone, Debug)]
struct Callback {
    name: u32,
    ticks: Vec<Callback>,
    microtasks: Vec<Callback>,
}

fn callbacks() -> impl Strategy<Value = Vec<Callback>> {
    let leaf = Just(Callback { name: 0, ticks: vec![], microtasks: vec![] });
    let tree = leaf.prop_recursive(4, 40, 4, |inner| {
        (prop::collection::vec(inner.clone(), 0..4), prop::collection::vec(inner, 0..4))
            .prop_map(|(ticks, microtasks)| Callback { name: 0, ticks, microtasks })
    });
    prop::collection::vec(tree, 0..5)
}

fn number(callbacks: &mut [Callback], next: &mut u32) {
    for callback in callbacks {
        callback.name = *next;
        *next += 1;
        number(&mut callback.ticks, next);
        number(&mut callback.microtasks, next);
    }
}

/// The model: all ticks, then all microtasks including those that they add; repeat.
fn model(ticks: Vec<Callback>, microtasks: Vec<Callback>) -> Vec<u32> {
    let (mut ticks, mut microtasks) = (ticks, microtasks);
    let mut order = Vec::new();
    while !ticks.is_empty() || !microtasks.is_empty() {
        while !ticks.is_empty() {
            let tick = ticks.remove(0);
            order.push(tick.name);
            ticks.extend(tick.ticks);
            microtasks.extend(tick.microtasks);
        }
        while !microtasks.is_empty() {
            let microtask = microtasks.remove(0);
            order.push(microtask.name);
            ticks.extend(microtask.ticks);
            microtasks.extend(microtask.microtasks);
        }
    }
    order
}

proptest! {
    #[test]
    fn ticks_come_before_microtasks_and_neither_is_interrupted(
        mut ticks in callbacks(),
        mut microtasks in callbacks(),
    ) {
        let mut next = 0;
        number(&mut ticks, &mut next);
        number(&mut microtasks, &mut next);
        let mut queue = TickQueue::new();
        ticks.iter().cloned().for_each(|tick| queue.tick(tick));
        microtasks.iter().cloned().for_each(|microtask| queue.microtask(microtask));
        let mut order = Vec::new();
        loop {
            match queue.next_step() {
                DrainStep::Tick(ran) | DrainStep::Microtask(ran) => {
                    order.push(ran.name);
                    ran.ticks.into_iter().for_each(|tick| queue.tick(tick));
                    ran.microtasks.into_iter().for_each(|task| queue.microtask(task));
                }
                DrainStep::Checkpoint | DrainStep::Rejections => {}
                DrainStep::Done => break,
            }
        }
        prop_assert_eq!(order, model(ticks, microtasks));
    }
}

#[test]
fn rejections_are_processed_only_when_both_queues_are_empty() {
    let mut queue = TickQueue::new();
    queue.tick(1);
    queue.microtask(2);
    assert_eq!(queue.next_step(), DrainStep::Tick(1));
    assert_eq!(queue.next_step(), DrainStep::Microtask(2));
    assert_eq!(queue.next_step(), DrainStep::Checkpoint);
    queue.tick(3);
    assert_eq!(queue.next_step(), DrainStep::Tick(3));
    assert_eq!(queue.next_step(), DrainStep::Checkpoint);
    assert_eq!(queue.next_step(), DrainStep::Rejections);
    assert_eq!(queue.next_step(), DrainStep::Done);
}

#[test]
fn a_tick_that_a_rejection_handler_adds_runs_in_the_same_drain() {
    let mut queue: TickQueue<u32> = TickQueue::new();
    assert_eq!(queue.next_step(), DrainStep::Checkpoint);
    assert_eq!(queue.next_step(), DrainStep::Rejections);
    queue.tick(1);
    assert_eq!(queue.next_step(), DrainStep::Tick(1));
    assert_eq!(queue.next_step(), DrainStep::Checkpoint);
    assert_eq!(queue.next_step(), DrainStep::Rejections);
    assert_eq!(queue.next_step(), DrainStep::Done);
}

#[test]
fn after_an_exception_the_remaining_ticks_run_in_the_next_drain() {
    let mut queue = TickQueue::new();
    queue.tick(1);
    queue.tick(2);
    assert_eq!(queue.next_step(), DrainStep::Tick(1));
    queue.restart_drain();
    assert_eq!(queue.ticks(), 1);
    assert_eq!(queue.next_step(), DrainStep::Tick(2));
}
