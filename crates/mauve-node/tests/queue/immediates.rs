//! Immediates.

use mauve_node::queue::{ImmediateStep, Immediates};

/// The steps of a batch; 0 is a drain.
fn run(immediates: &mut Immediates<u32>) -> Vec<u32> {
    immediates.begin();
    std::iter::from_fn(|| match immediates.next_step() {
        ImmediateStep::Drain => Some(0),
        ImmediateStep::Run(callback) => Some(callback),
        ImmediateStep::Done => None,
    })
    .collect()
}

#[test]
fn an_immediate_added_during_a_check_phase_runs_in_the_next_one() {
    let mut immediates = Immediates::default();
    immediates.push(1);
    immediates.push(2);
    immediates.begin();
    assert_eq!(immediates.next_step(), ImmediateStep::Run(1));
    immediates.push(3);
    assert_eq!(immediates.next_step(), ImmediateStep::Drain);
    assert_eq!(immediates.next_step(), ImmediateStep::Run(2));
    assert_eq!(immediates.next_step(), ImmediateStep::Done);
    assert_eq!(run(&mut immediates), [3]);
}

#[test]
fn a_cancelled_immediate_of_the_batch_is_skipped() {
    let mut immediates = Immediates::default();
    immediates.push(1);
    let second = immediates.push(2);
    immediates.push(3);
    immediates.begin();
    assert_eq!(immediates.next_step(), ImmediateStep::Run(1));
    assert_eq!(immediates.next_step(), ImmediateStep::Drain);
    assert_eq!(immediates.cancel(second), Some(2));
    assert_eq!(immediates.cancel(second), None);
    assert_eq!(immediates.next_step(), ImmediateStep::Run(3));
    assert!(immediates.is_empty());
}

#[test]
fn after_an_exception_the_batch_resumes_without_a_drain() {
    let mut immediates = Immediates::default();
    immediates.push(1);
    immediates.push(2);
    immediates.begin();
    assert_eq!(immediates.next_step(), ImmediateStep::Run(1));
    immediates.push(3);
    assert_eq!(run(&mut immediates), [2]);
    assert_eq!(run(&mut immediates), [3]);
}

#[test]
fn only_referenced_immediates_are_counted_as_referenced() {
    let mut immediates = Immediates::default();
    let one = immediates.push(1);
    immediates.push(2);
    immediates.set_referenced(one, false);
    immediates.set_referenced(one, false);
    assert_eq!((immediates.referenced(), immediates.len()), (1, 2));
    assert_eq!(run(&mut immediates), [1, 0, 2]);
    assert_eq!((immediates.referenced(), immediates.len()), (0, 0));
}
