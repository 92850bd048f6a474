//! The order in which ticks and microtasks are drained.

use mauve_node::queue::{DrainStep, TickQueue};

#[test]
fn rejections_are_processed_only_when_both_queues_are_empty() {
    let mut queue = TickQueue::default();
    queue.push(1);
    queue.push(2);
    assert_eq!(queue.next_step(), DrainStep::Tick(1));
    assert_eq!(queue.next_step(), DrainStep::Tick(2));
    assert_eq!(queue.next_step(), DrainStep::Microtasks);
    queue.push(3);
    assert_eq!(queue.next_step(), DrainStep::Tick(3));
    assert_eq!(queue.next_step(), DrainStep::Microtasks);
    assert_eq!(queue.next_step(), DrainStep::Rejections);
    assert_eq!(queue.next_step(), DrainStep::Done);
}

#[test]
fn a_tick_that_a_rejection_handler_adds_runs_in_the_same_drain() {
    let mut queue: TickQueue<u32> = TickQueue::default();
    assert_eq!(queue.next_step(), DrainStep::Microtasks);
    assert_eq!(queue.next_step(), DrainStep::Rejections);
    queue.push(1);
    assert_eq!(queue.next_step(), DrainStep::Tick(1));
    assert_eq!(queue.next_step(), DrainStep::Microtasks);
    assert_eq!(queue.next_step(), DrainStep::Rejections);
    assert_eq!(queue.next_step(), DrainStep::Done);
}

#[test]
fn after_an_exception_the_remaining_ticks_run_in_the_next_drain() {
    let mut queue = TickQueue::default();
    queue.push(1);
    queue.push(2);
    assert_eq!(queue.next_step(), DrainStep::Tick(1));
    queue.restart_drain();
    assert_eq!(queue.next_step(), DrainStep::Tick(2));
    assert_eq!(queue.next_step(), DrainStep::Microtasks);
}
