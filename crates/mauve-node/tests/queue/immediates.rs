//! Immediates.

use mauve_node::queue::Immediates;

fn run(immediates: &mut Immediates<u32>) -> Vec<u32> {
    immediates.begin();
    let mut ran = Vec::new();
    while let Some(key) = immediates.next_key() {
        ran.extend(immediates.cancel(key));
    }
    ran
}

#[test]
fn an_immediate_added_during_a_check_phase_runs_in_the_next_one() {
    let mut immediates = Immediates::default();
    immediates.push(1);
    immediates.push(2);
    immediates.begin();
    let first = immediates.next_key().unwrap();
    assert_eq!(immediates.cancel(first), Some(1));
    immediates.push(3);
    let second = immediates.next_key().unwrap();
    assert_eq!(immediates.cancel(second), Some(2));
    assert_eq!(immediates.next_key(), None);
    assert_eq!(run(&mut immediates), [3]);
}

#[test]
fn a_cancelled_immediate_of_the_batch_is_skipped() {
    let mut immediates = Immediates::default();
    immediates.push(1);
    let second = immediates.push(2);
    immediates.push(3);
    immediates.begin();
    let first = immediates.next_key().unwrap();
    immediates.cancel(first);
    assert_eq!(immediates.cancel(second), Some(2));
    assert_eq!(immediates.cancel(second), None);
    let third = immediates.next_key().unwrap();
    assert_eq!(immediates.cancel(third), Some(3));
    assert!(immediates.is_empty());
}

#[test]
fn only_referenced_immediates_are_counted_as_referenced() {
    let mut immediates = Immediates::default();
    let one = immediates.push(1);
    immediates.push(2);
    immediates.set_referenced(one, false);
    immediates.set_referenced(one, false);
    assert_eq!((immediates.referenced(), immediates.len()), (1, 2));
    assert!(!immediates.has_ref(one));
    assert_eq!(run(&mut immediates), [1, 2]);
    assert_eq!((immediates.referenced(), immediates.len()), (0, 0));
}
