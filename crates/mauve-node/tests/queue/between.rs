//! The drain rule.

use mauve_node::queue::{Between, Layer};
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

/// The rule in plain words: all ticks; then all microtasks, those they add included; again.
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
        let mut layer = Layer::new();
        ticks.iter().cloned().for_each(|tick| layer.tick(tick));
        microtasks.iter().cloned().for_each(|microtask| layer.microtask(microtask));
        let mut order = Vec::new();
        loop {
            match layer.between() {
                Between::Tick(ran) | Between::Microtask(ran) => {
                    order.push(ran.name);
                    ran.ticks.into_iter().for_each(|tick| layer.tick(tick));
                    ran.microtasks.into_iter().for_each(|task| layer.microtask(task));
                }
                Between::Checkpoint | Between::Rejections => {}
                Between::Done => break,
            }
        }
        prop_assert_eq!(order, model(ticks, microtasks));
    }
}

#[test]
fn rejections_are_told_when_both_queues_are_empty_and_not_before() {
    let mut layer = Layer::new();
    layer.tick(1);
    layer.microtask(2);
    assert_eq!(layer.between(), Between::Tick(1));
    assert_eq!(layer.between(), Between::Microtask(2));
    assert_eq!(layer.between(), Between::Checkpoint);
    layer.tick(3);
    assert_eq!(layer.between(), Between::Tick(3));
    assert_eq!(layer.between(), Between::Checkpoint);
    assert_eq!(layer.between(), Between::Rejections);
    assert_eq!(layer.between(), Between::Done);
}

#[test]
fn a_tick_that_telling_of_rejections_adds_runs_in_the_same_drain() {
    let mut layer: Layer<u32> = Layer::new();
    assert_eq!(layer.between(), Between::Checkpoint);
    assert_eq!(layer.between(), Between::Rejections);
    layer.tick(1);
    assert_eq!(layer.between(), Between::Tick(1));
    assert_eq!(layer.between(), Between::Checkpoint);
    assert_eq!(layer.between(), Between::Rejections);
    assert_eq!(layer.between(), Between::Done);
}

#[test]
fn after_a_throw_what_is_left_waits_for_the_next_drain() {
    let mut layer = Layer::new();
    layer.tick(1);
    layer.tick(2);
    assert_eq!(layer.between(), Between::Tick(1));
    layer.begin_again();
    assert_eq!(layer.ticks(), 1);
    assert_eq!(layer.between(), Between::Tick(2));
}
